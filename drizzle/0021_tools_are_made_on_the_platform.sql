CREATE TABLE "tool_creations" (
	"ref" uuid PRIMARY KEY NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "ref" uuid;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_ref_unique" UNIQUE("ref");