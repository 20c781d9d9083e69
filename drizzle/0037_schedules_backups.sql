CREATE TABLE "backups" (
	"id" integer PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"owner" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"finished_at" timestamp (3) with time zone,
	"archive" text
);
