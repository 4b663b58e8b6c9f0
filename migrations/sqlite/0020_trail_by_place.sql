-- oldest: 12
-- The audit as before, but that SQLite notes nowhere else which number was given last: no row of it ever goes.
CREATE TABLE trail (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT,
  address TEXT,
  request TEXT,
  action TEXT NOT NULL,
  page TEXT,
  section TEXT,
  item TEXT,
  detail TEXT,
  before TEXT,
  after TEXT,
  edits TEXT
) STRICT;
INSERT INTO trail (id, at, actor, token, address, request, action, page, section, item, detail, before, after, edits)
SELECT id, at, actor, token, address, request, action, page, section, item, detail, before, after, edits FROM audit;
DROP TABLE audit;
ALTER TABLE trail RENAME TO audit;
CREATE INDEX audit_by_page ON audit (page, id);
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_action ON audit (action, id);
-- Who changed a place is one look at an index: an item, what is done to a section as a whole (without an item), or to a
-- page (without a section).
CREATE INDEX audit_by_place ON audit (page, section, item, id);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- The row of the audit that tells how a revision was made. Of those of before it is the page's last one of that second.
ALTER TABLE revisions ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
CREATE INDEX audit_by_time ON audit (page, at, id);
UPDATE revisions SET change = coalesce(
  (SELECT a.id FROM audit a WHERE a.page = revisions.page AND a.at <= revisions.made_at ORDER BY a.at DESC, a.id DESC LIMIT 1), 0);
DROP INDEX audit_by_time;
