-- A revision's number is never given again, not even after its page was deleted or retention removed it: the audit and
-- clients that hold versions speak of it.
CREATE TABLE revision_numbers (
  page TEXT PRIMARY KEY,
  last INTEGER NOT NULL CHECK (last > 0)
) STRICT;
INSERT INTO revision_numbers (page, last) SELECT page, max(number) FROM revisions GROUP BY page;

-- REPLACE deletes without the deleting trigger.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- A revision is immutable; only its pin may change.
CREATE TRIGGER revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences,
  problems ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER revision_sections_are_not_changed BEFORE UPDATE ON revision_sections
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER section_documents_are_not_changed BEFORE UPDATE ON section_documents
BEGIN SELECT RAISE(ABORT, 'a section''s published document is not changed'); END;
