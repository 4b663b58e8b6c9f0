-- A published item leaves most of what a revision has as it was, and writes none of it again (docs/decisions/0158).
DROP VIEW revision_sections;

-- A document is in one tree, by its fingerprint, not in a table and an index. What refers to it is made again for that.
CREATE TABLE documents_in_one_tree (
  fingerprint TEXT PRIMARY KEY,
  document TEXT NOT NULL,
  page TEXT,
  section TEXT,
  version INTEGER,
  pieces TEXT
    CHECK ((pieces IS NULL) = (version IS NULL) AND (pieces IS NULL OR document = '' AND page IS NOT NULL AND section IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO documents_in_one_tree (fingerprint, document, page, section, version, pieces)
SELECT fingerprint, document, page, section, version, pieces FROM section_documents ORDER BY fingerprint;

CREATE TABLE spans_made_again (
  page TEXT NOT NULL,
  section TEXT NOT NULL,
  number INTEGER NOT NULL,
  until INTEGER NOT NULL DEFAULT 9223372036854775807 CHECK (until > number),
  position INTEGER NOT NULL,
  fingerprint TEXT NOT NULL REFERENCES documents_in_one_tree (fingerprint),
  PRIMARY KEY (page, section, number DESC)
) STRICT, WITHOUT ROWID;
INSERT INTO spans_made_again (page, section, number, until, position, fingerprint)
SELECT page, section, number, until, position, fingerprint FROM revision_spans;

CREATE TABLE scheduled_made_again (
  scheduled INTEGER NOT NULL REFERENCES scheduled_publishes (id) ON DELETE CASCADE,
  section TEXT NOT NULL,
  position INTEGER NOT NULL,
  fingerprint TEXT REFERENCES documents_in_one_tree (fingerprint),
  PRIMARY KEY (scheduled, section)
) STRICT, WITHOUT ROWID;
INSERT INTO scheduled_made_again (scheduled, section, position, fingerprint)
SELECT scheduled, section, position, fingerprint FROM scheduled_sections;

-- What successive revisions have in common beside their sections, from the first of them on until the next frame begins.
CREATE TABLE revision_frames (
  page TEXT NOT NULL,
  number INTEGER NOT NULL,
  settings TEXT NOT NULL,
  sort_rules TEXT NOT NULL,
  audiences TEXT NOT NULL,
  problems TEXT NOT NULL,
  withheld TEXT NOT NULL,
  PRIMARY KEY (page, number)
) STRICT, WITHOUT ROWID;
INSERT INTO revision_frames (page, number, settings, sort_rules, audiences, problems, withheld)
SELECT page, number, settings, sort_rules, audiences, problems, withheld
FROM (
  SELECT page, number, settings, sort_rules, audiences, problems, withheld,
    lag(settings) OVER before AS last_settings, lag(sort_rules) OVER before AS last_rules,
    lag(audiences) OVER before AS last_audiences, lag(problems) OVER before AS last_problems,
    lag(withheld) OVER before AS last_withheld
  FROM revisions WINDOW before AS (PARTITION BY page ORDER BY number))
WHERE settings IS NOT last_settings OR sort_rules IS NOT last_rules OR audiences IS NOT last_audiences
  OR problems IS NOT last_problems OR withheld IS NOT last_withheld;

CREATE TABLE kept_revisions (
  page TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  kind TEXT NOT NULL
    CHECK (kind IN ('publish', 'partial', 'content', 'rollback', 'scheduled', 'import', 'withheld', 'kinds')),
  source INTEGER,
  author TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  message TEXT,
  is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
  change INTEGER NOT NULL,
  identity TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  confirmed TEXT NOT NULL,
  PRIMARY KEY (page, number)
) STRICT, WITHOUT ROWID;
INSERT INTO kept_revisions (page, number, kind, source, author, made_at, message, is_pinned, change, identity, fingerprint,
  confirmed)
SELECT page, number, kind, source, author, made_at, message, is_pinned, change, identity, fingerprint, confirmed
FROM revisions;

DROP TABLE revisions;
DROP TABLE revision_spans;
DROP TABLE scheduled_sections;
DROP TABLE section_documents;
ALTER TABLE documents_in_one_tree RENAME TO section_documents;
ALTER TABLE spans_made_again RENAME TO revision_spans;
ALTER TABLE scheduled_made_again RENAME TO scheduled_sections;
CREATE UNIQUE INDEX section_documents_by_version ON section_documents (page, section, version) WHERE pieces IS NOT NULL;
CREATE INDEX revision_spans_by_end ON revision_spans (page, until);
CREATE INDEX revision_spans_by_fingerprint ON revision_spans (fingerprint);
CREATE INDEX scheduled_sections_by_fingerprint ON scheduled_sections (fingerprint);

-- Without its frame a revision is damaged, as one whose texts are no JSON.
CREATE VIEW revisions AS
SELECT r.page AS page, r.number AS number, r.kind AS kind, r.source AS source, r.author AS author, r.made_at AS made_at,
  r.message AS message, r.is_pinned AS is_pinned, r.change AS change, r.identity AS identity, r.fingerprint AS fingerprint,
  coalesce(
    (SELECT f.settings FROM revision_frames f WHERE f.page = r.page AND f.number <= r.number ORDER BY f.number DESC LIMIT 1), '')
    AS settings,
  coalesce(
    (SELECT f.sort_rules FROM revision_frames f WHERE f.page = r.page AND f.number <= r.number ORDER BY f.number DESC LIMIT 1), '')
    AS sort_rules,
  coalesce(
    (SELECT f.audiences FROM revision_frames f WHERE f.page = r.page AND f.number <= r.number ORDER BY f.number DESC LIMIT 1), '')
    AS audiences,
  coalesce(
    (SELECT f.problems FROM revision_frames f WHERE f.page = r.page AND f.number <= r.number ORDER BY f.number DESC LIMIT 1), '')
    AS problems,
  coalesce(
    (SELECT f.withheld FROM revision_frames f WHERE f.page = r.page AND f.number <= r.number ORDER BY f.number DESC LIMIT 1), '')
    AS withheld,
  r.confirmed AS confirmed
FROM kept_revisions r;
CREATE VIEW revision_sections AS
SELECT r.page AS page, r.number AS number, s.position AS position, s.section AS section, s.fingerprint AS fingerprint
FROM kept_revisions r JOIN revision_spans s ON s.page = r.page AND s.number <= r.number AND s.until > r.number;

CREATE TRIGGER section_documents_are_not_changed BEFORE UPDATE ON section_documents
BEGIN SELECT RAISE(ABORT, 'a section''s published document is not changed'); END;
CREATE TRIGGER revision_frames_are_not_changed BEFORE UPDATE ON revision_frames
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER revision_spans_are_not_changed BEFORE UPDATE OF page, section, number, position, fingerprint ON revision_spans
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER kept_revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, identity ON kept_revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
-- A program that knows no spans, and was open when this file was applied, notes a number after its revision.
CREATE TRIGGER kept_revisions_are_not_of_older_programs BEFORE INSERT ON kept_revisions
WHEN NEW.number > max(
  coalesce((SELECT live FROM pages WHERE id = NEW.page), 0), coalesce((SELECT last FROM revision_numbers WHERE page = NEW.page), 0))
BEGIN SELECT RAISE(ABORT, 'a program that knows no spans has made a revision'); END;
-- With a revision goes what neither the one before it nor the one after it has, and a frame that no other one has.
CREATE TRIGGER spans_and_frames_go_with_revisions AFTER DELETE ON kept_revisions BEGIN
  DELETE FROM revision_spans
  WHERE page = OLD.page AND until > OLD.number
    AND until <= coalesce(
      (SELECT min(number) FROM kept_revisions WHERE page = OLD.page AND number > OLD.number), 9223372036854775807)
    AND number > coalesce((SELECT max(number) FROM kept_revisions WHERE page = OLD.page AND number < OLD.number), 0);
  DELETE FROM revision_frames
  WHERE page = OLD.page AND number = (SELECT max(number) FROM revision_frames WHERE page = OLD.page AND number <= OLD.number)
    AND NOT EXISTS (
      SELECT 1 FROM kept_revisions r WHERE r.page = OLD.page AND r.number >= revision_frames.number
        AND r.number < coalesce(
          (SELECT min(number) FROM revision_frames WHERE page = OLD.page AND number > OLD.number), 9223372036854775807));
END;
-- The newest of a page: what it has as the one before it is not kept again.
CREATE TRIGGER revisions_have_frames INSTEAD OF INSERT ON revisions BEGIN
  SELECT RAISE(ABORT, 'a later revision is there')
  WHERE EXISTS (SELECT 1 FROM kept_revisions WHERE page = NEW.page AND number > NEW.number);
  INSERT INTO kept_revisions (page, number, kind, source, author, made_at, message, is_pinned, change, identity, fingerprint,
    confirmed)
  VALUES (NEW.page, NEW.number, NEW.kind, NEW.source, NEW.author, NEW.made_at, NEW.message, coalesce(NEW.is_pinned, 0),
    coalesce(NEW.change, 0), coalesce(NEW.identity, ''), NEW.fingerprint, coalesce(NEW.confirmed, '{}'));
  INSERT INTO revision_frames (page, number, settings, sort_rules, audiences, problems, withheld)
  SELECT NEW.page, NEW.number, NEW.settings, NEW.sort_rules, NEW.audiences, NEW.problems, coalesce(NEW.withheld, '[]')
  WHERE NOT EXISTS (
    SELECT 1 FROM (SELECT * FROM revision_frames WHERE page = NEW.page ORDER BY number DESC LIMIT 1) f
    WHERE f.settings = NEW.settings AND f.sort_rules = NEW.sort_rules AND f.audiences = NEW.audiences
      AND f.problems = NEW.problems AND f.withheld = coalesce(NEW.withheld, '[]'));
END;
-- A program that was open when this file was applied goes on noting it. It is refused whatever else it changes of revisions.
CREATE TRIGGER revisions_are_confirmed INSTEAD OF UPDATE OF confirmed ON revisions BEGIN
  UPDATE kept_revisions SET confirmed = NEW.confirmed WHERE page = OLD.page AND number = OLD.number;
END;
-- From a database that has a row for each section, in the order of the numbers.
CREATE TRIGGER revision_sections_become_spans INSTEAD OF INSERT ON revision_sections BEGIN
  UPDATE revision_spans
  SET until = coalesce(
    (SELECT min(number) FROM kept_revisions WHERE page = NEW.page AND number > NEW.number), 9223372036854775807)
  WHERE page = NEW.page AND section = NEW.section AND until = NEW.number
    AND position = NEW.position AND fingerprint = NEW.fingerprint;
  INSERT INTO revision_spans (page, section, number, until, position, fingerprint)
  SELECT NEW.page, NEW.section, NEW.number,
    coalesce((SELECT min(number) FROM kept_revisions WHERE page = NEW.page AND number > NEW.number), 9223372036854775807),
    NEW.position, NEW.fingerprint
  WHERE changes() = 0;
END;
