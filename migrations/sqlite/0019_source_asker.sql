-- oldest: 12
-- Which process asks the endpoints of sections, until when no other does, and what came of it, as JSON (docs/decisions/0131).
CREATE TABLE source_asker (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  instance TEXT NOT NULL,
  until INTEGER NOT NULL,
  states TEXT NOT NULL
) STRICT;
