-- oldest: 6
-- A draft that is scheduled is a revision, with a number, when it is due and not before. `made` is the number of the change
-- that scheduled it, which programs of before do not say. What was scheduled before has numbers below 1, which tell the
-- order alone.
ALTER TABLE scheduled_publishes DROP CONSTRAINT scheduled_publishes_check;
ALTER TABLE scheduled_publishes ADD CHECK (revision IS NULL OR settings IS NOT NULL);
CREATE FUNCTION next_change() RETURNS bigint LANGUAGE sql AS 'SELECT coalesce(max(id), 0) + 1 FROM audit';
ALTER TABLE scheduled_publishes ADD COLUMN made bigint NOT NULL DEFAULT next_change();
UPDATE scheduled_publishes s SET made = -(SELECT count(*) FROM scheduled_publishes l WHERE l.id >= s.id);

-- What sources have published of a page while something waits there: an item, or a section's whole content (without an item),
-- and the number of the change that published it last. Whatever was scheduled before that leaves it as it is live.
CREATE TABLE pushed (
  page text COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  section text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL DEFAULT '',
  number bigint NOT NULL,
  PRIMARY KEY (page, section, item)
);
INSERT INTO pushed (page, section, item, number)
SELECT p.page, k.section, k.item, max(p.made) + 1
FROM scheduled_kept k JOIN scheduled_publishes p ON p.id = k.scheduled GROUP BY p.page, k.section, k.item;
DROP TABLE scheduled_kept;

-- For nodes of before, until they are upgraded: they note what is pushed for each schedule, and read it so.
CREATE VIEW scheduled_kept AS
SELECT s.scheduled, k.section, k.item
FROM pushed k JOIN scheduled_publishes p ON p.page = k.page AND p.made < k.number
JOIN scheduled_sections s ON s.scheduled = p.id AND s.section = k.section AND s.fingerprint IS NOT NULL
WHERE k.item = '' OR NOT EXISTS (
  SELECT 1 FROM pushed w WHERE w.page = k.page AND w.section = k.section AND w.item = '' AND w.number > p.made);
CREATE FUNCTION note_pushed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pushed (page, section, item, number)
  SELECT page, NEW.section, NEW.item, next_change() FROM scheduled_publishes WHERE id = NEW.scheduled
  ON CONFLICT (page, section, item) DO UPDATE SET number = excluded.number;
  RETURN NEW;
END $$;
CREATE TRIGGER scheduled_kept_is_pushed INSTEAD OF INSERT ON scheduled_kept FOR EACH ROW EXECUTE FUNCTION note_pushed();
-- A note that one schedule needs no more may be another's.
CREATE RULE scheduled_kept_stays AS ON DELETE TO scheduled_kept DO INSTEAD NOTHING;
