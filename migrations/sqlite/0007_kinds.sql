-- The kinds that pages are drawn with: what kinds.yaml says, as JSON. `changed` is the audit row that tells of them.
CREATE TABLE kinds (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  document TEXT NOT NULL,
  changed INTEGER NOT NULL
) STRICT;
