-- The kinds that some clients do not get, until that is lifted. `audiences` are the named audiences that the condition
-- refers to, as they were. A binary that does not know of it would send them what they cannot draw.
CREATE TABLE withheld (
  family text COLLATE "C" NOT NULL CHECK (family IN ('items', 'sections')),
  kind text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
  audience text COLLATE "C" NOT NULL,
  audiences text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  author text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  changed bigint NOT NULL,
  PRIMARY KEY (family, kind)
);

-- A revision keeps what was withheld when it was made, and may have come to be by that.
ALTER TABLE revisions ADD COLUMN withheld text COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE revisions DROP CONSTRAINT revisions_kind_check;
ALTER TABLE revisions ADD CONSTRAINT revisions_kind_check
  CHECK (kind IN ('publish', 'partial', 'content', 'rollback', 'scheduled', 'import', 'withheld', 'kinds'));
DROP TRIGGER revisions_are_not_changed ON revisions;
CREATE TRIGGER revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences,
  problems, identity, withheld ON revisions
FOR EACH ROW EXECUTE FUNCTION refuse_change('a revision is not changed');
