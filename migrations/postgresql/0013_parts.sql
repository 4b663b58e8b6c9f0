-- oldest: 6
-- What a schedule of some parts of a page takes beside sections, as JSON; null of a whole page and of sections alone.
ALTER TABLE scheduled_publishes ADD COLUMN parts text COLLATE "C";
-- What somebody has published meanwhile of what waits in it, and which it goes over when it is due, as JSON.
ALTER TABLE scheduled_publishes ADD COLUMN passed text COLLATE "C";
