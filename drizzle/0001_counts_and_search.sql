-- A list's total is read from a counter per workspace instead of counting rows.
CREATE FUNCTION count_assistants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.workspace_id = OLD.workspace_id THEN
    RETURN NULL;
  END IF;
  IF TG_OP IN ('DELETE', 'UPDATE') THEN
    UPDATE assistant_counts SET count = count - 1 WHERE workspace_id = OLD.workspace_id;
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    INSERT INTO assistant_counts AS counts (workspace_id, count) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET count = counts.count + 1;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER assistants_counted AFTER INSERT OR DELETE OR UPDATE OF workspace_id ON assistants
FOR EACH ROW EXECUTE FUNCTION count_assistants();
--> statement-breakpoint
-- Contains-filters use trigrams where the engine has them; without them they scan one workspace.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX assistants_name_trigrams ON assistants USING gin (name gin_trgm_ops);
  CREATE INDEX assistants_phone_number_trigrams ON assistants USING gin (phone_number gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'no trigram indexes here: %', SQLERRM;
END $$;
