CREATE TABLE "holds" (
	"turn_id" text PRIMARY KEY NOT NULL,
	"workspace_id" integer NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" serial PRIMARY KEY NOT NULL,
	"workspace_id" integer NOT NULL,
	"currency" text NOT NULL,
	"kind" text NOT NULL,
	"delta" bigint NOT NULL,
	"turn_id" text,
	"payment_id" text,
	"model" text,
	"prompt_tokens" bigint,
	"completion_tokens" bigint,
	"prompt_usd_per_million" double precision,
	"completion_usd_per_million" double precision,
	"user_id" integer NOT NULL,
	"token_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_turn_id_unique" UNIQUE("turn_id"),
	CONSTRAINT "ledger_payment_id_unique" UNIQUE("payment_id")
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"workspace_id" integer NOT NULL,
	"currency" text NOT NULL,
	"balance" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wallets_workspace_id_currency_pk" PRIMARY KEY("workspace_id","currency"),
	CONSTRAINT "wallets_held" CHECK ("wallets"."held" >= 0)
);
--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holds_expires_at" ON "holds" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ledger_workspace_id" ON "ledger" USING btree ("workspace_id","id");