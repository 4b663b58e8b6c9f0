-- oldest: 12
-- Whom the server tells of what went live, and what it has to tell (docs/decisions/0108). `kinds` and `pages` are arrays of JSON;
-- no page stands for all. The secrets sign what is sent, so that they stand here as they are.
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('standard', 'slack')),
  kinds TEXT NOT NULL,
  pages TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  off_reason TEXT,
  secret TEXT NOT NULL,
  former_secret TEXT,
  former_until INTEGER,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  changed INTEGER NOT NULL
) STRICT;
-- What one of them is told of one revision, written in the transaction that makes it live.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  message TEXT NOT NULL,
  page TEXT NOT NULL,
  generation INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'given-up')),
  nodes TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  last_at INTEGER,
  status INTEGER,
  detail TEXT
) STRICT;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook, page, id) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook, id);
-- Which process sends, and until when no other does.
CREATE TABLE webhook_sender (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  instance TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
