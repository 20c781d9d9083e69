ALTER TABLE "ledger" ADD COLUMN "agent_id" integer;--> statement-breakpoint
CREATE INDEX "ledger_charges" ON "ledger" USING btree ("workspace_id","created_at") WHERE "ledger"."kind" = 'charge';