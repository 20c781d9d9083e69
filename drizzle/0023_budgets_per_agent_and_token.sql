CREATE TABLE "budget_holds" (
	"turn_id" text NOT NULL,
	"budget_id" integer NOT NULL,
	"amount" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "budget_holds_turn_id_budget_id_pk" PRIMARY KEY("turn_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"id" serial PRIMARY KEY NOT NULL,
	"agent_id" integer,
	"token_id" integer,
	"window" text NOT NULL,
	"unit" text NOT NULL,
	"limit" bigint NOT NULL,
	"spent" bigint DEFAULT 0 NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "budgets_subject" CHECK (("budgets"."agent_id" is null) <> ("budgets"."token_id" is null))
);
--> statement-breakpoint
ALTER TABLE "budget_holds" ADD CONSTRAINT "budget_holds_budget_id_budgets_id_fk" FOREIGN KEY ("budget_id") REFERENCES "public"."budgets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_token_id_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_holds_expires_at" ON "budget_holds" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "budget_holds_budget_id" ON "budget_holds" USING btree ("budget_id");--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_agent" ON "budgets" USING btree ("agent_id","unit");--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_token" ON "budgets" USING btree ("token_id","unit");