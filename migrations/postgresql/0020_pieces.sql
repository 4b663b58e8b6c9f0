-- oldest: 6
-- As migrations/sqlite/0021 has them. Here no document is kept in pieces (docs/decisions/0147), so that older programs read all of them.
ALTER TABLE section_documents ADD COLUMN page text COLLATE "C";
ALTER TABLE section_documents ADD COLUMN section text COLLATE "C";
ALTER TABLE section_documents ADD COLUMN version bigint;
ALTER TABLE section_documents ADD COLUMN pieces text COLLATE "C";
CREATE UNIQUE INDEX section_documents_by_version ON section_documents (page, section, version) WHERE pieces IS NOT NULL;

CREATE TABLE section_pieces (
  id bigint PRIMARY KEY,
  fingerprint text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL
);
CREATE TRIGGER section_pieces_are_not_changed BEFORE UPDATE ON section_pieces
FOR EACH ROW EXECUTE FUNCTION refuse_change('a section''s published document is not changed');
