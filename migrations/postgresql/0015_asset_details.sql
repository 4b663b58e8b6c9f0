-- oldest: 6
-- What operators say of a picture, as JSON: its name, a text for those who do not see it, tags, and the point that a crop keeps.
ALTER TABLE assets ADD COLUMN details text COLLATE "C" NOT NULL DEFAULT '{}';
-- The number of the last change of these.
ALTER TABLE assets ADD COLUMN changed bigint NOT NULL DEFAULT 0;
-- The picture that it was cut from, which stays as long as it does.
ALTER TABLE assets ADD COLUMN original text COLLATE "C";
CREATE INDEX assets_by_original ON assets (original) WHERE original IS NOT NULL;
