CREATE TABLE "carrier_numbers" (
	"number" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"reference" text NOT NULL,
	"sms" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "carrier_numbers_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "phone_number_purchases" (
	"phone_number" text PRIMARY KEY NOT NULL,
	"ref" uuid NOT NULL,
	"name" text,
	"user_id" integer NOT NULL,
	"created_by" integer NOT NULL,
	"reseller_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "phone_number_purchases_ref_unique" UNIQUE("ref")
);
--> statement-breakpoint
CREATE TABLE "phone_numbers" (
	"id" serial PRIMARY KEY NOT NULL,
	"phone_number" text NOT NULL,
	"purchase_ref" uuid NOT NULL,
	"carrier_id" text NOT NULL,
	"voice_phone_number_id" uuid,
	"status" text NOT NULL,
	"provider" text NOT NULL,
	"assistant_id" integer,
	"squad_id" integer,
	"voice_assistant_id" text,
	"voice_squad_id" text,
	"voice_workflow_id" text,
	"name" text,
	"fallback_destination" jsonb,
	"server" jsonb,
	"hooks" jsonb NOT NULL,
	"sms_enabled" boolean NOT NULL,
	"sms_capable" boolean NOT NULL,
	"static_ip_enabled" boolean NOT NULL,
	"metadata" jsonb,
	"last_synced_at" timestamp (3) with time zone,
	"sync_due_at" timestamp (3) with time zone,
	"sync_attempts" integer DEFAULT 0 NOT NULL,
	"sync_error" text,
	"user_id" integer NOT NULL,
	"created_by" integer NOT NULL,
	"reseller_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "phone_numbers_phone_number_unique" UNIQUE("phone_number"),
	CONSTRAINT "phone_numbers_purchase_ref_unique" UNIQUE("purchase_ref"),
	CONSTRAINT "phone_numbers_voice_phone_number_id_unique" UNIQUE("voice_phone_number_id")
);
--> statement-breakpoint
CREATE TABLE "squad_assistants" (
	"squad_id" integer NOT NULL,
	"assistant_id" integer NOT NULL,
	CONSTRAINT "squad_assistants_squad_id_assistant_id_pk" PRIMARY KEY("squad_id","assistant_id")
);
--> statement-breakpoint
CREATE TABLE "squads" (
	"id" serial PRIMARY KEY NOT NULL,
	"ref" uuid NOT NULL,
	"external_squad_id" text NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"members" jsonb NOT NULL,
	"members_overrides" jsonb,
	"variable_values" jsonb,
	"metadata" jsonb,
	"live" jsonb,
	"user_id" integer NOT NULL,
	"created_by" integer NOT NULL,
	"reseller_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "squads_ref_unique" UNIQUE("ref"),
	CONSTRAINT "squads_external_squad_id_unique" UNIQUE("external_squad_id")
);
--> statement-breakpoint
CREATE TABLE "platform_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assistant_id" uuid,
	"phone_number_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"direction" text NOT NULL,
	"ended" boolean NOT NULL,
	"seconds" double precision,
	"ended_reason" text,
	"passed" boolean,
	"cost" double precision NOT NULL,
	"transport" double precision NOT NULL,
	"transcriber" double precision NOT NULL,
	"model" double precision NOT NULL,
	"voice" double precision NOT NULL,
	"platform" double precision NOT NULL,
	"other" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "phone_number_purchases" ADD CONSTRAINT "phone_number_purchases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_number_purchases" ADD CONSTRAINT "phone_number_purchases_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_number_purchases" ADD CONSTRAINT "phone_number_purchases_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_squad_id_squads_id_fk" FOREIGN KEY ("squad_id") REFERENCES "public"."squads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "squad_assistants" ADD CONSTRAINT "squad_assistants_squad_id_squads_id_fk" FOREIGN KEY ("squad_id") REFERENCES "public"."squads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "squad_assistants" ADD CONSTRAINT "squad_assistants_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "squads" ADD CONSTRAINT "squads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "squads" ADD CONSTRAINT "squads_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "squads" ADD CONSTRAINT "squads_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_calls" ADD CONSTRAINT "platform_calls_id_platform_objects_id_fk" FOREIGN KEY ("id") REFERENCES "public"."platform_objects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "phone_number_purchases_due_at" ON "phone_number_purchases" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "phone_numbers_workspace_id" ON "phone_numbers" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "phone_numbers_reseller_id" ON "phone_numbers" USING btree ("reseller_id","id");--> statement-breakpoint
CREATE INDEX "phone_numbers_assistant_id" ON "phone_numbers" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "phone_numbers_squad_id" ON "phone_numbers" USING btree ("squad_id");--> statement-breakpoint
CREATE INDEX "phone_numbers_sync_due_at" ON "phone_numbers" USING btree ("sync_due_at");--> statement-breakpoint
CREATE INDEX "squad_assistants_assistant_id" ON "squad_assistants" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "squads_workspace_id" ON "squads" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "squads_reseller_id" ON "squads" USING btree ("reseller_id","id");--> statement-breakpoint
CREATE INDEX "squads_user_id" ON "squads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "platform_calls_assistant" ON "platform_calls" USING btree ("assistant_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "platform_calls_phone_number" ON "platform_calls" USING btree ("phone_number_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "platform_calls_running" ON "platform_calls" USING btree ("created_at") WHERE not "platform_calls"."ended";