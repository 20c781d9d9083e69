CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sequence" bigserial NOT NULL,
	"live_assistant_id" uuid,
	"call_id" uuid NOT NULL,
	"type" text NOT NULL,
	"address" text NOT NULL,
	"request" text NOT NULL,
	"payload" jsonb NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"backoff_plan" jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"most_attempts" integer NOT NULL,
	"last_status" integer,
	"last_error" text,
	"owner" uuid,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at") WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_call" ON "webhook_deliveries" USING btree ("call_id","sequence");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_assistant" ON "webhook_deliveries" USING btree ("live_assistant_id","sequence" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_updated_at" ON "webhook_deliveries" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "platform_calls_created_at" ON "platform_calls" USING btree ("created_at" DESC NULLS FIRST);