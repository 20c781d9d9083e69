CREATE TABLE "audit_counts" (
	"slot" integer PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "phone_numbers_owned" ON "phone_numbers" USING btree ("id") WHERE "phone_numbers"."status" = 'owned';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_dead" ON "webhook_deliveries" USING btree ("workspace_id","sequence" DESC NULLS FIRST) WHERE "webhook_deliveries"."status" = 'dead';--> statement-breakpoint
-- The total of the audit trail is read, not counted.
CREATE FUNCTION count_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed bigint;
BEGIN
  SELECT count(*) INTO changed FROM changed_rows;
  IF TG_OP = 'DELETE' THEN
    changed := -changed;
  END IF;
  INSERT INTO audit_counts AS counts (slot, count) VALUES (pg_backend_pid() % 8, changed)
  ON CONFLICT (slot) DO UPDATE SET count = counts.count + changed;
  RETURN NULL;
END $$;--> statement-breakpoint
LOCK TABLE audit_entries IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TRIGGER audit_entries_added AFTER INSERT ON audit_entries
REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_audit_entries();--> statement-breakpoint
CREATE TRIGGER audit_entries_dropped AFTER DELETE ON audit_entries
REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_audit_entries();--> statement-breakpoint
INSERT INTO audit_counts (slot, count) SELECT 0, count(*) FROM audit_entries;--> statement-breakpoint
-- Those that were given up are looked for by workspace.
UPDATE webhook_deliveries d SET workspace_id = a.workspace_id FROM assistants a
  WHERE a.voice_assistant_id = d.live_assistant_id AND d.status = 'dead' AND d.workspace_id = 0;--> statement-breakpoint
-- What operators look for among all tenants.
DO $$
BEGIN
  CREATE INDEX phone_numbers_trigrams ON phone_numbers USING gin (phone_number gin_trgm_ops, name gin_trgm_ops);
  CREATE INDEX squads_trigrams ON squads USING gin (name gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'no trigram indexes of numbers and squads here: %', SQLERRM;
END $$;
