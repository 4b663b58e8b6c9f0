-- oldest: 6
-- As migrations/sqlite/0013 has it: 64 hexadecimal digits, here of two random UUIDs.
ALTER TABLE history ADD COLUMN link_key text COLLATE "C" NOT NULL DEFAULT '';
UPDATE history SET link_key = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
