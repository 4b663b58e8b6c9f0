-- Where items stood that are gone from a draft's list, so that one that comes back gets its place again: behind which one, null
-- at the beginning.
CREATE TABLE item_places (
  page TEXT NOT NULL,
  section TEXT NOT NULL,
  item TEXT NOT NULL CHECK (length(item) BETWEEN 1 AND 128),
  "after" TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (page, section, item),
  FOREIGN KEY (page, section) REFERENCES sections (page, id) ON DELETE CASCADE
) STRICT;
