CREATE TABLE "drift_sweeps" (
	"id" integer PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"owner" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"requested" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"checked" integer DEFAULT 0 NOT NULL,
	"cursors" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"full_at" timestamp (3) with time zone,
	"full_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "drifts" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"ref" text,
	"live_id" text NOT NULL,
	"name" text NOT NULL,
	"difference" text NOT NULL,
	"leaves" text NOT NULL,
	"digest" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"resolution" text,
	"found_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ALTER COLUMN "actor_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ALTER COLUMN "token_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ALTER COLUMN "request_id" DROP NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "drifts_open" ON "drifts" USING btree ("kind","live_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "drifts_ref" ON "drifts" USING btree ("kind","ref");--> statement-breakpoint
CREATE INDEX "drifts_state" ON "drifts" USING btree ("state","id");