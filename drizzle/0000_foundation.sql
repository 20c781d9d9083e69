CREATE TABLE "idempotency_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"body_hash" text NOT NULL,
	"status" integer,
	"body" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_counts" (
	"workspace_id" integer PRIMARY KEY NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistants" (
	"id" serial PRIMARY KEY NOT NULL,
	"assistant_id" uuid NOT NULL,
	"voice_assistant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"user_id" integer NOT NULL,
	"created_by" integer NOT NULL,
	"reseller_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"template_id" integer,
	"personality_id" integer,
	"base_config_id" integer,
	"industry_template_id" integer,
	"layer2_key" text,
	"phone_number" text,
	"phone_number_id" uuid,
	"webhook_url" text,
	"metadata" jsonb NOT NULL,
	"config" jsonb NOT NULL,
	"live" jsonb NOT NULL,
	"widget_embed_config" jsonb,
	"public_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistants_assistant_id_unique" UNIQUE("assistant_id"),
	CONSTRAINT "assistants_voice_assistant_id_unique" UNIQUE("voice_assistant_id"),
	CONSTRAINT "assistants_public_key_unique" UNIQUE("public_key")
);
--> statement-breakpoint
CREATE TABLE "credits" (
	"id" serial PRIMARY KEY NOT NULL,
	"workspace_id" integer NOT NULL,
	"payment_id" text NOT NULL,
	"amount_micro_usd" bigint DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"created_by" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credits_payment_id_unique" UNIQUE("payment_id")
);
--> statement-breakpoint
CREATE TABLE "base_configs" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"config" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "industry_templates" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"base_config_id" integer,
	"prompt" text NOT NULL,
	"custom_fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "layer2_presets" (
	"id" serial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"overrides" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "layer2_presets_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "model_prices" (
	"id" serial PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"prompt_usd_per_million" double precision NOT NULL,
	"completion_usd_per_million" double precision NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_prices_model_unique" UNIQUE("model")
);
--> statement-breakpoint
CREATE TABLE "personalities" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"voice" jsonb NOT NULL,
	"prompt" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompt_templates" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"first_message" text,
	"end_call_message" text,
	"base_config_id" integer,
	"variables" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tools" (
	"id" uuid PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"description" text NOT NULL,
	"type" text NOT NULL,
	"scope" text NOT NULL,
	"owner_id" integer,
	"locked" boolean DEFAULT false NOT NULL,
	"definition" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "resellers" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"workspace_id" integer NOT NULL,
	"workspace_role" text NOT NULL,
	"reseller_id" integer NOT NULL,
	"features" text[] NOT NULL,
	"assistant_quota" integer,
	"email_verified_at" timestamp (3) with time zone,
	"phone" text,
	"company" text,
	"bio" text,
	"profile_picture" text,
	"identity_id" text,
	"social_id" text,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_versions" (
	"id" serial PRIMARY KEY NOT NULL,
	"assistant_id" integer NOT NULL,
	"action" text NOT NULL,
	"source" text NOT NULL,
	"actor_id" integer NOT NULL,
	"actor_name" text NOT NULL,
	"changes" jsonb NOT NULL,
	"summary" text NOT NULL,
	"configuration" jsonb,
	"restored_from" integer,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" serial PRIMARY KEY NOT NULL,
	"uuid" uuid NOT NULL,
	"reseller_id" integer NOT NULL,
	"name" text NOT NULL,
	"billing" text DEFAULT 'none' NOT NULL,
	"owner_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_uuid_unique" UNIQUE("uuid")
);
--> statement-breakpoint
CREATE TABLE "platform_objects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "live_writes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"action" text NOT NULL,
	"owner" uuid NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"key" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "assistant_counts" ADD CONSTRAINT "assistant_counts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_template_id_prompt_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."prompt_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_personality_id_personalities_id_fk" FOREIGN KEY ("personality_id") REFERENCES "public"."personalities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_base_config_id_base_configs_id_fk" FOREIGN KEY ("base_config_id") REFERENCES "public"."base_configs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_industry_template_id_industry_templates_id_fk" FOREIGN KEY ("industry_template_id") REFERENCES "public"."industry_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credits" ADD CONSTRAINT "credits_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "industry_templates" ADD CONSTRAINT "industry_templates_base_config_id_base_configs_id_fk" FOREIGN KEY ("base_config_id") REFERENCES "public"."base_configs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_templates" ADD CONSTRAINT "prompt_templates_base_config_id_base_configs_id_fk" FOREIGN KEY ("base_config_id") REFERENCES "public"."base_configs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_versions" ADD CONSTRAINT "assistant_versions_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_reseller_id_resellers_id_fk" FOREIGN KEY ("reseller_id") REFERENCES "public"."resellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "assistants_workspace_name" ON "assistants" USING btree ("workspace_id","name","id");--> statement-breakpoint
CREATE INDEX "assistants_workspace_created_at" ON "assistants" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "assistants_workspace_user_id" ON "assistants" USING btree ("workspace_id","user_id","id");--> statement-breakpoint
CREATE INDEX "assistants_reseller_name" ON "assistants" USING btree ("reseller_id","name","id");--> statement-breakpoint
CREATE INDEX "assistants_reseller_created_at" ON "assistants" USING btree ("reseller_id","created_at","id");--> statement-breakpoint
CREATE INDEX "assistants_reseller_user_id" ON "assistants" USING btree ("reseller_id","user_id","id");--> statement-breakpoint
CREATE INDEX "assistants_name" ON "assistants" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "assistants_created_at" ON "assistants" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "assistants_user_id" ON "assistants" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "credits_workspace_id" ON "credits" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "tokens_user_id" ON "tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_workspace_id" ON "users" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "users_reseller_id" ON "users" USING btree ("reseller_id");--> statement-breakpoint
CREATE INDEX "assistant_versions_assistant_id" ON "assistant_versions" USING btree ("assistant_id","id");--> statement-breakpoint
CREATE INDEX "workspaces_reseller_id" ON "workspaces" USING btree ("reseller_id");--> statement-breakpoint
CREATE INDEX "platform_objects_kind_created_at" ON "platform_objects" USING btree ("kind","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "live_writes_resource" ON "live_writes" USING btree ("kind","ref");--> statement-breakpoint
CREATE INDEX "live_writes_due_at" ON "live_writes" USING btree ("due_at");