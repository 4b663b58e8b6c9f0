-- oldest: 1
-- The kinds that pages are drawn with: what kinds.yaml says, as JSON. `changed` is the audit row that tells of them.
CREATE TABLE kinds (
  id bigint PRIMARY KEY CHECK (id = 1),
  hash text COLLATE "C" NOT NULL CHECK (length(hash) = 64),
  document text COLLATE "C" NOT NULL,
  changed bigint NOT NULL
);
