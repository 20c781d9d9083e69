ALTER TABLE "knowledge_chunks" ADD COLUMN "heading" text;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD COLUMN "terms" text[];--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD COLUMN "length" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "knowledge_chunks_terms" ON "knowledge_chunks" USING gin ("terms");