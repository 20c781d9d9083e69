-- Built anew it would keep searches out for as long as that takes; what waits already is entered once.
ALTER INDEX "knowledge_chunks_terms" SET (fastupdate = off);--> statement-breakpoint
SELECT gin_clean_pending_list('knowledge_chunks_terms');
