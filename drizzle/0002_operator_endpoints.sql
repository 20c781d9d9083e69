DROP INDEX "tokens_user_id";--> statement-breakpoint
DROP INDEX "users_workspace_id";--> statement-breakpoint
DROP INDEX "users_reseller_id";--> statement-breakpoint
DROP INDEX "workspaces_reseller_id";--> statement-breakpoint
ALTER TABLE "industry_templates" ALTER COLUMN "base_config_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_layer2_key_layer2_presets_key_fk" FOREIGN KEY ("layer2_key") REFERENCES "public"."layer2_presets"("key") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "tokens_user_id" ON "tokens" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "users_workspace_id" ON "users" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "users_reseller_id" ON "users" USING btree ("reseller_id","id");--> statement-breakpoint
CREATE INDEX "workspaces_reseller_id" ON "workspaces" USING btree ("reseller_id","id");--> statement-breakpoint
-- Contains-filters use trigrams where the engine has them.
DO $$
BEGIN
  CREATE INDEX users_name_trigrams ON users USING gin (name gin_trgm_ops);
  CREATE INDEX users_email_trigrams ON users USING gin (email gin_trgm_ops);
  CREATE INDEX workspaces_name_trigrams ON workspaces USING gin (name gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'no trigram indexes here: %', SQLERRM;
END $$;
