CREATE TABLE "idempotency_results" (
	"id" uuid PRIMARY KEY NOT NULL,
	"result" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_results_created_at" ON "idempotency_results" USING btree ("created_at");