-- Pictures that content refers to by `/v1/assets/<name>`: the SHA-256 of the bytes, and the format. `used_at` is when one
-- was last seen to be of use; without any for so many days it goes.
CREATE TABLE assets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 68 AND 69),
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  size INTEGER NOT NULL CHECK (size > 0),
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX assets_by_use ON assets (used_at, size);
