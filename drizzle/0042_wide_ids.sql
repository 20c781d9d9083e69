-- Tables that only ever grow have ids for more than two thousand million rows. Each is written once more for it.
ALTER TABLE "messages" ALTER COLUMN "id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER SEQUENCE "messages_id_seq" AS bigint;--> statement-breakpoint
ALTER TABLE "chats" ALTER COLUMN "summary_until" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "agents" ALTER COLUMN "memory_message_id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "ledger" ALTER COLUMN "id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER SEQUENCE "ledger_id_seq" AS bigint;--> statement-breakpoint
ALTER TABLE "audit_entries" ALTER COLUMN "id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER SEQUENCE "audit_entries_id_seq" AS bigint;
