-- oldest: 6
-- What a change did to the fields of a section, as JSON: null where that is not known, or too much to be kept.
ALTER TABLE audit ADD COLUMN edits text COLLATE "C";
