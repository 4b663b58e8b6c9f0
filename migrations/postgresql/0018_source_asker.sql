-- oldest: 6
-- Which process asks the endpoints of sections, until when no other does, and what came of it, as JSON (docs/decisions/0131).
CREATE TABLE source_asker (
  id bigint PRIMARY KEY CHECK (id = 1),
  instance text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  states text COLLATE "C" NOT NULL
);
