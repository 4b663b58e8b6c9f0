-- oldest: 6
-- What tells the state of the database from every other one: after a backup was restored and changes were made, the number may be
-- one that it has had before. A trigger draws it, so that it changes with what older programs write, too.
ALTER TABLE changes ADD COLUMN identity text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text;
CREATE FUNCTION draw_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.identity := gen_random_uuid()::text;
  RETURN NEW;
END $$;
CREATE TRIGGER changes_draw_identity BEFORE UPDATE ON changes FOR EACH ROW EXECUTE FUNCTION draw_identity();
