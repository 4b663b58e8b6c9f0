-- A revision's identity tells it from another one of the same number, which there is once history was cut: a backup was
-- restored. Revisions that are there get theirs from what they are, so that all copies of one database agree.
ALTER TABLE revisions ADD COLUMN identity TEXT NOT NULL DEFAULT '';
UPDATE revisions SET identity = printf('%016x', made_at) || substr(fingerprint, 1, 16);
DROP TRIGGER revisions_are_not_changed;
CREATE TRIGGER revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences,
  problems, identity ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;

-- How often history was cut, as operators said. It orders editions before their revisions do.
CREATE TABLE history (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL CHECK (generation > 0)
) STRICT;
INSERT INTO history (id, generation) VALUES (1, 1);

-- The greatest number of a page's revisions that were removed on purpose: by retention, or together with the page.
ALTER TABLE revision_numbers ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
UPDATE revision_numbers SET removed = coalesce(
  (SELECT max(number) - 1 FROM revisions r WHERE r.page = revision_numbers.page AND NOT EXISTS (
    SELECT 1 FROM revisions b WHERE b.page = r.page AND b.number = r.number - 1)), last);

-- What is scheduled holds what it lays over the page when it is due. Without `settings` it is some sections alone; their
-- revision gets its number then.
CREATE TABLE overlays (
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
  CHECK ((revision IS NULL) = (settings IS NULL))
) STRICT;
INSERT INTO overlays (id, page, revision, at, zone, author, message, settings, sort_rules, audiences)
SELECT s.id, s.page, s.revision, s.at, s.zone, s.author, s.message, r.settings, r.sort_rules, r.audiences
FROM scheduled_publishes s JOIN revisions r ON r.page = s.page AND r.number = s.revision;
-- An id is never given again.
DELETE FROM sqlite_sequence WHERE name = 'overlays';
INSERT INTO sqlite_sequence (name, seq) SELECT 'overlays', seq FROM sqlite_sequence WHERE name = 'scheduled_publishes';
DROP TABLE scheduled_publishes;
ALTER TABLE overlays RENAME TO scheduled_publishes;
CREATE INDEX scheduled_publishes_by_time ON scheduled_publishes (at);
CREATE INDEX scheduled_publishes_by_page ON scheduled_publishes (page);

-- A section without a fingerprint goes.
CREATE TABLE scheduled_sections (
  scheduled INTEGER NOT NULL REFERENCES scheduled_publishes (id) ON DELETE CASCADE,
  section TEXT NOT NULL,
  position INTEGER NOT NULL,
  fingerprint TEXT REFERENCES section_documents (fingerprint),
  PRIMARY KEY (scheduled, section)
) STRICT, WITHOUT ROWID;
CREATE INDEX scheduled_sections_by_fingerprint ON scheduled_sections (fingerprint);
INSERT INTO scheduled_sections (scheduled, section, position, fingerprint)
SELECT s.id, r.section, r.position, r.fingerprint
FROM scheduled_publishes s JOIN revision_sections r ON r.page = s.page AND r.number = s.revision;
INSERT OR IGNORE INTO scheduled_sections (scheduled, section, position)
SELECT s.id, r.section, r.position
FROM scheduled_publishes s JOIN pages p ON p.id = s.page
  JOIN revision_sections r ON r.page = p.id AND r.number = p.live;

-- What sources have published since something was scheduled, which stays when it is due: an item, or a section's whole
-- content (without an item).
CREATE TABLE scheduled_kept (
  scheduled INTEGER NOT NULL REFERENCES scheduled_publishes (id) ON DELETE CASCADE,
  section TEXT NOT NULL,
  item TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (scheduled, section, item)
) STRICT, WITHOUT ROWID;
INSERT INTO scheduled_kept (scheduled, section)
SELECT DISTINCT s.id, a.section
FROM scheduled_publishes s JOIN audit a ON a.page = s.page
WHERE a.action = 'content.publish' AND a.section IS NOT NULL AND a.id > (
  SELECT max(b.id) FROM audit b WHERE b.page = s.page AND b.action = 'page.schedule'
    AND b.detail = 'revision ' || s.revision || ' at ' || strftime('%Y-%m-%dT%H:%M:%SZ', s.at, 'unixepoch'));

-- Which edition an answer that is kept told of.
ALTER TABLE idempotency_keys ADD COLUMN edition TEXT;
