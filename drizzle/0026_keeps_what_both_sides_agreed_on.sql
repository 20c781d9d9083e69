CREATE TABLE "live_bases" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"live_id" text NOT NULL,
	"revision" uuid NOT NULL,
	"bodies" text NOT NULL,
	"agreed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "live_bases_resource" ON "live_bases" USING btree ("kind","ref");--> statement-breakpoint
CREATE INDEX "live_bases_live_id" ON "live_bases" USING btree ("kind","live_id");