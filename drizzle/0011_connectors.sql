CREATE TABLE "agent_connectors" (
	"agent_id" integer NOT NULL,
	"connector_id" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"disabled_tools" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "agent_connectors_agent_id_connector_id_pk" PRIMARY KEY("agent_id","connector_id")
);
--> statement-breakpoint
CREATE TABLE "connectors" (
	"id" serial PRIMARY KEY NOT NULL,
	"uid" uuid NOT NULL,
	"owner_id" integer NOT NULL,
	"scope" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"server_url" text NOT NULL,
	"headers" text,
	"active" boolean NOT NULL,
	"known_tools" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connectors_uid_unique" UNIQUE("uid")
);
--> statement-breakpoint
ALTER TABLE "agent_connectors" ADD CONSTRAINT "agent_connectors_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_connectors" ADD CONSTRAINT "agent_connectors_connector_id_connectors_id_fk" FOREIGN KEY ("connector_id") REFERENCES "public"."connectors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_connectors_connector_id" ON "agent_connectors" USING btree ("connector_id");--> statement-breakpoint
CREATE INDEX "connectors_owner_id" ON "connectors" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "connectors_scope" ON "connectors" USING btree ("scope");