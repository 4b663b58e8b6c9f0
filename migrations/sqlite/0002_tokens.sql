-- Bearer tokens. The secret itself is never stored.
CREATE TABLE tokens (
  selector TEXT PRIMARY KEY CHECK (length(selector) >= 8),
  secret_hash TEXT NOT NULL CHECK (length(secret_hash) = 64),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'source', 'editor', 'publisher', 'admin')),
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;

-- Answers kept for requests that are tried again.
CREATE TABLE idempotency_keys (
  token TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  etag TEXT,
  PRIMARY KEY (token, key)
) STRICT;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at);
