-- The text of a section with many items is kept in pieces, which successive documents of the section share (docs/decisions/0147): one
-- item changed is one piece. Then `document` is empty, and `pieces` has their ids in their order, in runs: "1-40,52,42-60". Documents
-- in pieces have versions by page and section: each takes pieces of the version before it alone.
ALTER TABLE section_documents ADD COLUMN page TEXT;
ALTER TABLE section_documents ADD COLUMN section TEXT;
ALTER TABLE section_documents ADD COLUMN version INTEGER;
ALTER TABLE section_documents ADD COLUMN pieces TEXT
  CHECK ((pieces IS NULL) = (version IS NULL) AND (pieces IS NULL OR document = '' AND page IS NOT NULL AND section IS NOT NULL));
CREATE UNIQUE INDEX section_documents_by_version ON section_documents (page, section, version) WHERE pieces IS NOT NULL;

CREATE TABLE section_pieces (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TRIGGER section_pieces_are_not_changed BEFORE UPDATE ON section_pieces
BEGIN SELECT RAISE(ABORT, 'a section''s published document is not changed'); END;
