ALTER TABLE "knowledge_files" ADD COLUMN "owner" uuid;--> statement-breakpoint
ALTER TABLE "phone_number_purchases" ADD COLUMN "owner" uuid;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD COLUMN "sync_owner" uuid;