-- A draft that is scheduled is a revision, with a number, when it is due and not before. `made` is the number of the change
-- that scheduled it. What was scheduled before has numbers below 1, which tell the order alone.
CREATE TABLE waiting (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  revision INTEGER,
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  author TEXT NOT NULL,
  message TEXT,
  settings TEXT,
  sort_rules TEXT NOT NULL,
  audiences TEXT NOT NULL,
  is_missed INTEGER NOT NULL DEFAULT 0 CHECK (is_missed IN (0, 1)),
  parts TEXT,
  passed TEXT,
  made INTEGER NOT NULL,
  CHECK (revision IS NULL OR settings IS NOT NULL)
) STRICT;
INSERT INTO waiting
SELECT id, page, revision, at, zone, author, message, settings, sort_rules, audiences, is_missed, parts, passed,
  -(SELECT count(*) FROM scheduled_publishes l WHERE l.id >= s.id)
FROM scheduled_publishes s;
-- An id is never given again.
DELETE FROM sqlite_sequence WHERE name = 'waiting';
INSERT INTO sqlite_sequence (name, seq) SELECT 'waiting', seq FROM sqlite_sequence WHERE name = 'scheduled_publishes';

CREATE TABLE waiting_sections (
  scheduled INTEGER NOT NULL REFERENCES waiting (id) ON DELETE CASCADE,
  section TEXT NOT NULL,
  position INTEGER NOT NULL,
  fingerprint TEXT REFERENCES section_documents (fingerprint),
  PRIMARY KEY (scheduled, section)
) STRICT, WITHOUT ROWID;
INSERT INTO waiting_sections SELECT scheduled, section, position, fingerprint FROM scheduled_sections;

-- What sources have published of a page while something waits there: an item, or a section's whole content (without an item),
-- and the number of the change that published it last. Whatever was scheduled before that leaves it as it is live.
CREATE TABLE pushed (
  page TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  section TEXT NOT NULL,
  item TEXT NOT NULL DEFAULT '',
  number INTEGER NOT NULL,
  PRIMARY KEY (page, section, item)
) STRICT, WITHOUT ROWID;
INSERT INTO pushed (page, section, item, number)
SELECT w.page, k.section, k.item, max(w.made) + 1 FROM scheduled_kept k JOIN waiting w ON w.id = k.scheduled
GROUP BY w.page, k.section, k.item;

DROP TABLE scheduled_kept;
DROP TABLE scheduled_sections;
DROP TABLE scheduled_publishes;
ALTER TABLE waiting RENAME TO scheduled_publishes;
ALTER TABLE waiting_sections RENAME TO scheduled_sections;
CREATE INDEX scheduled_publishes_by_time ON scheduled_publishes (at);
CREATE INDEX scheduled_publishes_by_page ON scheduled_publishes (page);
CREATE INDEX scheduled_sections_by_fingerprint ON scheduled_sections (fingerprint);
