-- What made this database a copy of another, for as long as nobody has said that the copy counts: a backup is given it.
ALTER TABLE history ADD COLUMN copy TEXT;
-- When the last backup was made; in a backup, when it was made itself.
ALTER TABLE history ADD COLUMN backed_up_at INTEGER;
UPDATE history SET backed_up_at = (SELECT max(at) FROM audit WHERE action = 'backup');
