-- oldest: 6
-- As migrations/sqlite/0010 has them, for databases that come from there.
ALTER TABLE history ADD COLUMN copy text COLLATE "C";
ALTER TABLE history ADD COLUMN backed_up_at bigint;

-- Where the tables are: the cluster and the database in it. A dump that is restored is somewhere else.
CREATE FUNCTION hearth_place() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || '.'
    || (SELECT oid FROM pg_database WHERE datname = current_database());
EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
  -- Then a restored dump is not noticed by this.
  RETURN NULL;
END $$;
-- Where they were when somebody said last that the database counts.
ALTER TABLE changes ADD COLUMN place text COLLATE "C";
UPDATE changes SET place = hearth_place();
