ALTER TABLE "knowledge_files" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "knowledge_files" ADD CONSTRAINT "knowledge_files_request_id_unique" UNIQUE("request_id");