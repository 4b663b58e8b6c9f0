-- What the links of long lists are made and checked with, on all nodes of the database: a secret.
ALTER TABLE history ADD COLUMN link_key TEXT NOT NULL DEFAULT '';
UPDATE history SET link_key = lower(hex(randomblob(32)));
