-- What migrations/sqlite/0001 to 0004 come to, with the same tables and columns. Texts are ordered and compared by code
-- points, as there.

-- Raised with every transaction that changes something: what other nodes look at each second, and are woken for.
CREATE TABLE changes (
  id bigint PRIMARY KEY CHECK (id = 1),
  number bigint NOT NULL
);
INSERT INTO changes (id, number) VALUES (1, 0);
CREATE FUNCTION wake_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('hearth', NEW.number::text);
  RETURN NULL;
END $$;
CREATE TRIGGER changes_wake_nodes AFTER UPDATE ON changes FOR EACH ROW EXECUTE FUNCTION wake_nodes();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

-- Who did what, from where. Written in the same transaction as the change, and never changed or deleted.
-- The `changed` columns of other tables hold the id of the row that tells of their last change. Ids rise by one, in the
-- order of the commits.
CREATE TABLE audit (
  id bigint PRIMARY KEY,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  token text COLLATE "C",
  address text COLLATE "C",
  request text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  page text COLLATE "C",
  section text COLLATE "C",
  item text COLLATE "C",
  detail text COLLATE "C",
  before text COLLATE "C",
  after text COLLATE "C"
);
CREATE INDEX audit_by_page ON audit (page, id);
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_action ON audit (action, id);
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION refuse_change('the audit is append-only');
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit is append-only');

-- The draft of each page.
CREATE TABLE pages (
  id text COLLATE "C" PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  settings text COLLATE "C" NOT NULL,
  live bigint,
  changed bigint NOT NULL,
  order_changed bigint NOT NULL,
  draft_changed bigint NOT NULL
);

CREATE TABLE sections (
  page text COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
  position bigint NOT NULL,
  settings text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  settings_changed bigint NOT NULL,
  content_changed bigint NOT NULL,
  PRIMARY KEY (page, id)
);
CREATE INDEX sections_by_position ON sections (page, position);

-- Children live in their item's document. `slot` is empty for the items of the list.
CREATE TABLE items (
  page text COLLATE "C" NOT NULL,
  section text COLLATE "C" NOT NULL,
  slot text COLLATE "C" NOT NULL DEFAULT '',
  position bigint NOT NULL CHECK (position >= 0),
  id text COLLATE "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
  document text COLLATE "C" NOT NULL,
  PRIMARY KEY (page, section, slot, id),
  FOREIGN KEY (page, section) REFERENCES sections (page, id) ON DELETE CASCADE
);

CREATE TABLE sort_rules (
  page text COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  priority bigint NOT NULL DEFAULT 0,
  audience text COLLATE "C",
  schedule text COLLATE "C",
  changed bigint NOT NULL,
  PRIMARY KEY (page, name),
  CHECK ((name = 'default') = (audience IS NULL))
);

-- A rule may list a section that is not there yet.
CREATE TABLE sort_rule_indices (
  page text COLLATE "C" NOT NULL,
  rule text COLLATE "C" NOT NULL,
  section text COLLATE "C" NOT NULL,
  position bigint NOT NULL CHECK (position BETWEEN -1000000 AND 1000000),
  PRIMARY KEY (page, rule, section),
  FOREIGN KEY (page, rule) REFERENCES sort_rules (page, name) ON DELETE CASCADE
);

CREATE TABLE audiences (
  name text COLLATE "C" PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  predicate text COLLATE "C" NOT NULL,
  changed bigint NOT NULL
);

-- Published states. A section's document is kept once, however many revisions hold it.
CREATE TABLE section_documents (
  fingerprint text COLLATE "C" PRIMARY KEY,
  document text COLLATE "C" NOT NULL
);
CREATE TRIGGER section_documents_are_not_changed BEFORE UPDATE ON section_documents
FOR EACH ROW EXECUTE FUNCTION refuse_change('a section''s published document is not changed');

-- `identity` tells a revision from another one of the same number, which there is once history was cut.
CREATE TABLE revisions (
  page text COLLATE "C" NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  kind text COLLATE "C" NOT NULL
    CHECK (kind IN ('publish', 'partial', 'content', 'rollback', 'scheduled', 'import')),
  source bigint,
  author text COLLATE "C" NOT NULL,
  made_at bigint NOT NULL,
  message text COLLATE "C",
  fingerprint text COLLATE "C" NOT NULL,
  settings text COLLATE "C" NOT NULL,
  sort_rules text COLLATE "C" NOT NULL,
  audiences text COLLATE "C" NOT NULL,
  problems text COLLATE "C" NOT NULL,
  is_pinned bigint NOT NULL DEFAULT 0 CHECK (is_pinned IN (0, 1)),
  identity text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (page, number)
);
-- A revision is immutable; only its pin may change.
CREATE TRIGGER revisions_are_not_changed
BEFORE UPDATE OF page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules, audiences,
  problems, identity ON revisions
FOR EACH ROW EXECUTE FUNCTION refuse_change('a revision is not changed');

CREATE TABLE revision_sections (
  page text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  position bigint NOT NULL,
  section text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL REFERENCES section_documents (fingerprint),
  PRIMARY KEY (page, number, position),
  FOREIGN KEY (page, number) REFERENCES revisions (page, number) ON DELETE CASCADE
);
CREATE INDEX revision_sections_by_fingerprint ON revision_sections (fingerprint);
CREATE TRIGGER revision_sections_are_not_changed BEFORE UPDATE ON revision_sections
FOR EACH ROW EXECUTE FUNCTION refuse_change('a revision is not changed');

-- A revision's number is never given again, not even after its page was deleted or retention removed it: the audit and
-- clients that hold versions speak of it. `removed` is the greatest number that was removed on purpose.
CREATE TABLE revision_numbers (
  page text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL CHECK (last > 0),
  removed bigint NOT NULL DEFAULT 0
);

-- How often history was cut, as operators said. It orders editions before their revisions do.
CREATE TABLE history (
  id bigint PRIMARY KEY CHECK (id = 1),
  generation bigint NOT NULL CHECK (generation > 0)
);
INSERT INTO history (id, generation) VALUES (1, 1);

-- What is scheduled holds what it lays over the page when it is due. Without `settings` it is some sections alone; their
-- revision gets its number then.
CREATE TABLE scheduled_publishes (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  page text COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  revision bigint,
  at bigint NOT NULL,
  zone text COLLATE "C" NOT NULL,
  author text COLLATE "C" NOT NULL,
  message text COLLATE "C",
  settings text COLLATE "C",
  sort_rules text COLLATE "C" NOT NULL,
  audiences text COLLATE "C" NOT NULL,
  is_missed bigint NOT NULL DEFAULT 0 CHECK (is_missed IN (0, 1)),
  CHECK ((revision IS NULL) = (settings IS NULL))
);
CREATE INDEX scheduled_publishes_by_time ON scheduled_publishes (at);
CREATE INDEX scheduled_publishes_by_page ON scheduled_publishes (page);

-- A section without a fingerprint goes.
CREATE TABLE scheduled_sections (
  scheduled bigint NOT NULL REFERENCES scheduled_publishes (id) ON DELETE CASCADE,
  section text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  fingerprint text COLLATE "C" REFERENCES section_documents (fingerprint),
  PRIMARY KEY (scheduled, section)
);
CREATE INDEX scheduled_sections_by_fingerprint ON scheduled_sections (fingerprint);

-- What sources have published since something was scheduled, which stays when it is due: an item, or a section's whole
-- content (without an item).
CREATE TABLE scheduled_kept (
  scheduled bigint NOT NULL REFERENCES scheduled_publishes (id) ON DELETE CASCADE,
  section text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (scheduled, section, item)
);

-- The versions that clients may still hold, so that they get changes after a restart too: how each can be assembled
-- again. `lineage` is a client that the variant was made for, whatever the revision.
CREATE TABLE known_versions (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  page text COLLATE "C" NOT NULL,
  lineage text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- Each is there once. A tree would take no more than 2,704 bytes of a lineage.
  EXCLUDE USING hash ((page || ' ' || version || ' ' || lineage) WITH =)
);
CREATE INDEX known_versions_by_lineage ON known_versions USING hash (lineage);

-- Bearer tokens. The secret itself is never stored.
CREATE TABLE tokens (
  selector text COLLATE "C" PRIMARY KEY CHECK (length(selector) >= 8),
  secret_hash text COLLATE "C" NOT NULL CHECK (length(secret_hash) = 64),
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'source', 'editor', 'publisher', 'admin')),
  scopes text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  expires_at bigint,
  last_used_at bigint
);

-- Answers kept for requests that are tried again.
CREATE TABLE idempotency_keys (
  token text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  status bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  etag text COLLATE "C",
  edition text COLLATE "C",
  PRIMARY KEY (token, key)
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at);
