-- The kinds that some clients do not get, until that is lifted. `audiences` are the named audiences that the condition
-- refers to, as they were.
CREATE TABLE withheld (
  family TEXT NOT NULL CHECK (family IN ('items', 'sections')),
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
  audience TEXT NOT NULL,
  audiences TEXT NOT NULL,
  reason TEXT NOT NULL,
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  PRIMARY KEY (family, kind)
) STRICT, WITHOUT ROWID;

-- A revision keeps what was withheld when it was made, and may have come to be by that. SQLite changes no CHECK, so the
-- table is made again, and with it the one that refers to it.
CREATE TABLE revisions_made_again (
  page TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  kind TEXT NOT NULL
    CHECK (kind IN ('publish', 'partial', 'content', 'rollback', 'scheduled', 'import', 'withheld', 'kinds')),
  source INTEGER,
  author TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  message TEXT,
  fingerprint TEXT NOT NULL,
  settings TEXT NOT NULL,
  sort_rules TEXT NOT NULL,
  audiences TEXT NOT NULL,
  problems TEXT NOT NULL,
  is_pinned INTEGER NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  identity TEXT NOT NULL DEFAULT '',
  withheld TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (page, number)
) STRICT;
INSERT INTO revisions_made_again (page, number, kind, source, author, made_at, message, fingerprint, settings,
  sort_rules, audiences, problems, is_pinned, identity)
SELECT page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences, problems,
  is_pinned, identity
FROM revisions;

CREATE TABLE revision_sections_made_again (
  page TEXT NOT NULL,
  number INTEGER NOT NULL,
  position INTEGER NOT NULL,
  section TEXT NOT NULL,
  fingerprint TEXT NOT NULL REFERENCES section_documents (fingerprint),
  PRIMARY KEY (page, number, position),
  FOREIGN KEY (page, number) REFERENCES revisions_made_again (page, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO revision_sections_made_again (page, number, position, section, fingerprint)
SELECT page, number, position, section, fingerprint FROM revision_sections;

DROP TABLE revision_sections;
DROP TABLE revisions;
ALTER TABLE revisions_made_again RENAME TO revisions;
ALTER TABLE revision_sections_made_again RENAME TO revision_sections;
CREATE INDEX revision_sections_by_fingerprint ON revision_sections (fingerprint);
CREATE TRIGGER revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences,
  problems, identity, withheld ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER revision_sections_are_not_changed BEFORE UPDATE ON revision_sections
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
