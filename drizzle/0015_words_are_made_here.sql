DROP INDEX "knowledge_chunks_words";--> statement-breakpoint
ALTER TABLE "knowledge_files" ADD COLUMN "passages_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" DROP COLUMN "words";