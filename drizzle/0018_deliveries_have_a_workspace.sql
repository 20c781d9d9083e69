DROP INDEX "webhook_deliveries_due";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("workspace_id","due_at") WHERE "webhook_deliveries"."status" = 'pending';
--> statement-breakpoint
UPDATE "webhook_deliveries" d SET "workspace_id" = a."workspace_id" FROM "assistants" a
  WHERE a."voice_assistant_id" = d."live_assistant_id" AND d."status" = 'pending';
