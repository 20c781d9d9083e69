ALTER TABLE "live_writes" ADD COLUMN "delete_sent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "live_writes" ADD COLUMN "create_sent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "live_writes" ADD COLUMN "late_until" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "live_writes" SET "delete_sent" = "action" = 'delete', "create_sent" = "action" = 'create', "late_until" = now() + interval '1 minute';
