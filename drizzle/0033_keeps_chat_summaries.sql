ALTER TABLE "chats" ADD COLUMN "summary" text;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "summary_until" integer;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "summary_tried_at" timestamp (3) with time zone;