-- Which sections a revision has is kept once for all successive revisions that have it (docs/decisions/0153): a section at a position
-- with a document, from revision `number` on, until the one that has it no more. What the newest revision has is without an end.
-- A revision is in one tree, not in a table and an index.
ALTER TABLE revision_sections RENAME TO rows_of_revisions;
CREATE TABLE revisions_in_one_tree (
  page TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  kind TEXT NOT NULL
    CHECK (kind IN ('publish', 'partial', 'content', 'rollback', 'scheduled', 'import', 'withheld', 'kinds')),
  source INTEGER,
  author TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  message TEXT,
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  change INTEGER NOT NULL DEFAULT 0,
  identity TEXT NOT NULL DEFAULT '',
  fingerprint TEXT NOT NULL,
  settings TEXT NOT NULL,
  sort_rules TEXT NOT NULL,
  audiences TEXT NOT NULL,
  problems TEXT NOT NULL,
  withheld TEXT NOT NULL DEFAULT '[]',
  confirmed TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (page, number)
) STRICT, WITHOUT ROWID;
INSERT INTO revisions_in_one_tree (page, number, kind, source, author, made_at, message, is_pinned, change, identity,
  fingerprint, settings, sort_rules, audiences, problems, withheld, confirmed)
SELECT page, number, kind, source, author, made_at, message, is_pinned, change, identity,
  fingerprint, settings, sort_rules, audiences, problems, withheld, confirmed
FROM revisions;

CREATE TABLE revision_spans (
  page TEXT NOT NULL,
  section TEXT NOT NULL,
  number INTEGER NOT NULL,
  until INTEGER NOT NULL DEFAULT 9223372036854775807 CHECK (until > number),
  position INTEGER NOT NULL,
  fingerprint TEXT NOT NULL REFERENCES section_documents (fingerprint),
  PRIMARY KEY (page, section, number DESC)
) STRICT, WITHOUT ROWID;
-- Of successive revisions with the same section at the same position with the same document, the first begins a span.
INSERT INTO revision_spans (page, section, number, until, position, fingerprint)
SELECT page, section, min(number), max(until), position, fingerprint
FROM (
  SELECT s.*, r.until, r.place - row_number() OVER (
      PARTITION BY s.page, s.section, s.position, s.fingerprint ORDER BY s.number) AS span
  FROM rows_of_revisions s JOIN (
    SELECT page, number, row_number() OVER (PARTITION BY page ORDER BY number) AS place,
      lead(number, 1, 9223372036854775807) OVER (PARTITION BY page ORDER BY number) AS until
    FROM revisions_in_one_tree) r ON r.page = s.page AND r.number = s.number)
GROUP BY page, section, position, fingerprint, span;
CREATE INDEX revision_spans_by_end ON revision_spans (page, until);
CREATE INDEX revision_spans_by_fingerprint ON revision_spans (fingerprint);

DROP TABLE rows_of_revisions;
DROP TABLE revisions;
ALTER TABLE revisions_in_one_tree RENAME TO revisions;
CREATE VIEW revision_sections AS
SELECT r.page AS page, r.number AS number, s.position AS position, s.section AS section, s.fingerprint AS fingerprint
FROM revisions r JOIN revision_spans s ON s.page = r.page AND s.number <= r.number AND s.until > r.number;

CREATE TRIGGER revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences,
  problems, identity, withheld ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER revision_spans_are_not_changed BEFORE UPDATE OF page, section, number, position, fingerprint ON revision_spans
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
-- A program that knows no spans, and was open when this file was applied, notes a number after its revision.
CREATE TRIGGER revisions_are_not_of_older_programs BEFORE INSERT ON revisions
WHEN NEW.number > coalesce((SELECT last FROM revision_numbers WHERE page = NEW.page), 0)
BEGIN SELECT RAISE(ABORT, 'a program that knows no spans has made a revision'); END;
-- With a revision goes what neither the one before it nor the one after it has.
CREATE TRIGGER revision_spans_go_with_revisions AFTER DELETE ON revisions BEGIN
  DELETE FROM revision_spans
  WHERE page = OLD.page AND until > OLD.number
    AND until <= coalesce((SELECT min(number) FROM revisions WHERE page = OLD.page AND number > OLD.number), 9223372036854775807)
    AND number > coalesce((SELECT max(number) FROM revisions WHERE page = OLD.page AND number < OLD.number), 0);
END;
-- From a database that has a row for each section, in the order of the numbers.
CREATE TRIGGER revision_sections_become_spans INSTEAD OF INSERT ON revision_sections BEGIN
  UPDATE revision_spans
  SET until = coalesce((SELECT min(number) FROM revisions WHERE page = NEW.page AND number > NEW.number), 9223372036854775807)
  WHERE page = NEW.page AND section = NEW.section AND until = NEW.number
    AND position = NEW.position AND fingerprint = NEW.fingerprint;
  INSERT INTO revision_spans (page, section, number, until, position, fingerprint)
  SELECT NEW.page, NEW.section, NEW.number,
    coalesce((SELECT min(number) FROM revisions WHERE page = NEW.page AND number > NEW.number), 9223372036854775807),
    NEW.position, NEW.fingerprint
  WHERE changes() = 0;
END;
