-- oldest: 6
-- When the content of the sections with "freshFor" was confirmed last, in seconds since 1970, by their ids, as JSON. Of the live
-- revision it moves on; each further revision begins with what the one before it had.
ALTER TABLE revisions ADD COLUMN confirmed text COLLATE "C" NOT NULL DEFAULT '{}';
