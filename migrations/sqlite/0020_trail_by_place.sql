-- oldest: 12
-- Who changed a place is one look at an index: an item, what is done to a section as a whole (without an item), or to a
-- page (without a section).
CREATE INDEX audit_by_place ON audit (page, section, item, id);

-- The row of the audit that tells how a revision was made. Of those of before it is the page's last one of that second.
ALTER TABLE revisions ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
CREATE INDEX audit_by_time ON audit (page, at, id);
UPDATE revisions SET change = coalesce(
  (SELECT a.id FROM audit a WHERE a.page = revisions.page AND a.at <= revisions.made_at ORDER BY a.at DESC, a.id DESC LIMIT 1), 0);
DROP INDEX audit_by_time;
