-- oldest: 1
-- Who serves this database. Each node writes its own row, every few seconds and whenever what it serves changes; what is
-- published hangs on none of them. `seen` is in milliseconds since 1970, by the database's clock; `pages` has the edition
-- of each page (`{"home": "1.42"}`).
CREATE TABLE nodes (
  instance text COLLATE "C" PRIMARY KEY CHECK (length(instance) BETWEEN 1 AND 64),
  name text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  since bigint NOT NULL,
  seen bigint NOT NULL,
  version text COLLATE "C" NOT NULL,
  schema bigint NOT NULL,
  pages text COLLATE "C" NOT NULL
);
