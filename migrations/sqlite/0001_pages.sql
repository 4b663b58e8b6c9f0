-- Who did what, from where. Written in the same transaction as the change, and never changed or deleted.
-- The `changed` columns of other tables hold the id of the row that tells of their last change.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT,
  address TEXT,
  request TEXT,
  action TEXT NOT NULL,
  page TEXT,
  section TEXT,
  item TEXT,
  detail TEXT,
  before TEXT,
  after TEXT
) STRICT;
CREATE INDEX audit_by_page ON audit (page, id);
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_action ON audit (action, id);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- The draft of each page.
CREATE TABLE pages (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  settings TEXT NOT NULL,
  live INTEGER,
  changed INTEGER NOT NULL,
  order_changed INTEGER NOT NULL,
  draft_changed INTEGER NOT NULL
) STRICT;

CREATE TABLE sections (
  page TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
  position INTEGER NOT NULL,
  settings TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  settings_changed INTEGER NOT NULL,
  content_changed INTEGER NOT NULL,
  PRIMARY KEY (page, id)
) STRICT;
CREATE INDEX sections_by_position ON sections (page, position);

-- Children live in their item's document. `slot` is empty for the items of the list.
CREATE TABLE items (
  page TEXT NOT NULL,
  section TEXT NOT NULL,
  slot TEXT NOT NULL DEFAULT '',
  position INTEGER NOT NULL CHECK (position >= 0),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
  document TEXT NOT NULL,
  PRIMARY KEY (page, section, slot, id),
  FOREIGN KEY (page, section) REFERENCES sections (page, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE sort_rules (
  page TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  priority INTEGER NOT NULL DEFAULT 0,
  audience TEXT,
  schedule TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (page, name),
  CHECK ((name = 'default') = (audience IS NULL))
) STRICT;

-- A rule may list a section that is not there yet.
CREATE TABLE sort_rule_indices (
  page TEXT NOT NULL,
  rule TEXT NOT NULL,
  section TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position BETWEEN -1000000 AND 1000000),
  PRIMARY KEY (page, rule, section),
  FOREIGN KEY (page, rule) REFERENCES sort_rules (page, name) ON DELETE CASCADE
) STRICT;

CREATE TABLE audiences (
  name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  predicate TEXT NOT NULL,
  changed INTEGER NOT NULL
) STRICT;

-- Published states. A section's document is kept once, however many revisions hold it.
CREATE TABLE section_documents (
  fingerprint TEXT PRIMARY KEY,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE revisions (
  page TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  kind TEXT NOT NULL CHECK (kind IN ('publish', 'partial', 'content', 'rollback', 'scheduled', 'import')),
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
  PRIMARY KEY (page, number)
) STRICT;

CREATE TABLE revision_sections (
  page TEXT NOT NULL,
  number INTEGER NOT NULL,
  position INTEGER NOT NULL,
  section TEXT NOT NULL,
  fingerprint TEXT NOT NULL REFERENCES section_documents (fingerprint),
  PRIMARY KEY (page, number, position),
  FOREIGN KEY (page, number) REFERENCES revisions (page, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX revision_sections_by_fingerprint ON revision_sections (fingerprint);

CREATE TABLE scheduled_publishes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  zone TEXT NOT NULL,
  author TEXT NOT NULL,
  message TEXT
) STRICT;
CREATE INDEX scheduled_publishes_by_time ON scheduled_publishes (at);

-- The versions that clients may still hold, so that they get changes after a restart too: how each can be assembled
-- again. `lineage` is a client that the variant was made for, whatever the revision.
CREATE TABLE known_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page TEXT NOT NULL,
  lineage TEXT NOT NULL,
  version TEXT NOT NULL,
  revision INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (page, lineage, version)
) STRICT;
