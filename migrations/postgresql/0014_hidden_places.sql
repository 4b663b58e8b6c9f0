-- oldest: 6
-- Whether an item was hidden when it went: then it is hidden again when it comes back. An older program shows it.
ALTER TABLE item_places ADD COLUMN is_hidden bigint NOT NULL DEFAULT 0 CHECK (is_hidden IN (0, 1));
