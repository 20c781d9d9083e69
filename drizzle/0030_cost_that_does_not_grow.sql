-- Creates of one workspace count in rows of their own, so that none waits for the other's transaction.
ALTER TABLE "assistant_counts" DROP CONSTRAINT "assistant_counts_pkey";--> statement-breakpoint
ALTER TABLE "assistant_counts" ADD COLUMN "slot" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "assistant_counts" ADD CONSTRAINT "assistant_counts_workspace_id_slot_pk" PRIMARY KEY("workspace_id","slot");--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_assistants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own CONSTANT integer := pg_backend_pid() % 8;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.workspace_id = OLD.workspace_id THEN
    RETURN NULL;
  END IF;
  IF TG_OP IN ('DELETE', 'UPDATE') THEN
    INSERT INTO assistant_counts AS counts (workspace_id, slot, count) VALUES (OLD.workspace_id, own, -1)
    ON CONFLICT (workspace_id, slot) DO UPDATE SET count = counts.count - 1;
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    INSERT INTO assistant_counts AS counts (workspace_id, slot, count) VALUES (NEW.workspace_id, own, 1)
    ON CONFLICT (workspace_id, slot) DO UPDATE SET count = counts.count + 1;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE INDEX "assistants_type" ON "assistants" USING btree ("type","workspace_id");--> statement-breakpoint
CREATE INDEX "assistants_personality" ON "assistants" USING btree ("personality_id") WHERE "assistants"."personality_id" is not null;--> statement-breakpoint
CREATE INDEX "assistants_template" ON "assistants" USING btree ("template_id") WHERE "assistants"."template_id" is not null;--> statement-breakpoint
CREATE INDEX "assistants_base_config" ON "assistants" USING btree ("base_config_id") WHERE "assistants"."base_config_id" is not null;--> statement-breakpoint
CREATE INDEX "assistants_industry" ON "assistants" USING btree ("industry_template_id") WHERE "assistants"."industry_template_id" is not null;--> statement-breakpoint
CREATE INDEX "assistants_layer2" ON "assistants" USING btree ("layer2_key") WHERE "assistants"."layer2_key" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_entries_kind" ON "audit_entries" USING btree ("subject_kind","id");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_vectors" ON "knowledge_chunks" USING btree ("file_id") WHERE "knowledge_chunks"."vector" is not null;--> statement-breakpoint
CREATE INDEX "messages_system" ON "messages" USING btree ("chat_id","id") WHERE "messages"."role" = 'system';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_assistant_status" ON "webhook_deliveries" USING btree ("live_assistant_id","status","sequence" DESC NULLS FIRST);--> statement-breakpoint
-- What is looked for within a workspace reads that workspace's trigrams alone, where the engine has both extensions.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX assistants_workspace_trigrams ON assistants
    USING gin (workspace_id, name gin_trgm_ops, phone_number gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'no trigram index by workspace here: %', SQLERRM;
END $$;--> statement-breakpoint
DO $$
BEGIN
  CREATE INDEX users_trigrams ON users USING gin (name gin_trgm_ops, email gin_trgm_ops);
  CREATE INDEX workspaces_trigrams ON workspaces USING gin (name gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'no trigram indexes of accounts here: %', SQLERRM;
END $$;
