-- Links that show a page as it would be to whoever has them: the SHA-256 of what stands in the link, never that itself.
CREATE TABLE previews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  page TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  name TEXT,
  revision TEXT NOT NULL,
  at INTEGER,
  client TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX previews_by_end ON previews (expires_at);
CREATE INDEX previews_by_page ON previews (page, id);
