-- Every row says its workspace: it is taken from the row that it belongs to, and moves with that.
ALTER TABLE "agents" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_holds" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_connectors" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connectors" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge_files" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "knowledge_versions" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "assistant_versions" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_shares" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "squad_assistants" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform_calls" ADD COLUMN "workspace_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "agents_workspace" ON "agents" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "assistants_workspace" ON "assistants" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_workspace" ON "budgets" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "chats_workspace" ON "chats" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_workspace" ON "conversations" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_files_workspace" ON "knowledge_files" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "squads_workspace" ON "squads" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_workspace" ON "tokens" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_workspace" ON "users" USING btree ("workspace_id","id");--> statement-breakpoint
DROP INDEX "squads_workspace_id";--> statement-breakpoint
DROP INDEX "users_workspace_id";--> statement-breakpoint
CREATE FUNCTION workspace_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM users WHERE id = NEW.owner_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM users WHERE id = NEW.user_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM agents WHERE id = NEW.agent_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM chats WHERE id = NEW.chat_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM knowledge_files WHERE id = NEW.file_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_assistant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM assistants WHERE id = NEW.assistant_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM conversations WHERE id = NEW.conversation_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((CASE WHEN NEW.agent_id IS NULL
    THEN (SELECT workspace_id FROM tokens WHERE id = NEW.token_id)
    ELSE (SELECT workspace_id FROM agents WHERE id = NEW.agent_id) END), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_squad() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM squads WHERE id = NEW.squad_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_budget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((SELECT workspace_id FROM budgets WHERE id = NEW.budget_id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce((coalesce(
    (SELECT workspace_id FROM assistants WHERE voice_assistant_id = NEW.assistant_id),
    (SELECT workspace_id FROM phone_numbers WHERE voice_phone_number_id = NEW.phone_number_id))), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION workspace_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := coalesce(CASE
    WHEN NEW.subject_kind = 'user' AND NEW.subject_id ~ '^\d{1,9}$'
      THEN (SELECT workspace_id FROM users WHERE id = NEW.subject_id::integer)
    WHEN NEW.subject_kind = 'token' AND NEW.subject_id ~ '^\d{1,9}$'
      THEN (SELECT workspace_id FROM tokens WHERE id = NEW.subject_id::integer)
    WHEN NEW.subject_kind = 'workspace' AND NEW.subject_id ~ '^\d{1,9}$'
      THEN (SELECT id FROM workspaces WHERE id = NEW.subject_id::integer)
    WHEN NEW.subject_kind = 'assistant' AND NEW.subject_id ~ '^[0-9a-f-]{36}$'
      THEN (SELECT workspace_id FROM assistants WHERE assistant_id = NEW.subject_id::uuid)
    WHEN NEW.subject_kind = 'squad' AND NEW.subject_id ~ '^[0-9a-f-]{36}$'
      THEN (SELECT workspace_id FROM squads WHERE ref = NEW.subject_id::uuid)
    WHEN NEW.subject_kind = 'phone_number'
      THEN (SELECT workspace_id FROM phone_numbers WHERE phone_number = NEW.subject_id)
    END, 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER agents_take_workspace BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION workspace_of_owner();--> statement-breakpoint
CREATE TRIGGER connectors_take_workspace BEFORE INSERT ON connectors FOR EACH ROW EXECUTE FUNCTION workspace_of_owner();--> statement-breakpoint
CREATE TRIGGER tokens_take_workspace BEFORE INSERT ON tokens FOR EACH ROW EXECUTE FUNCTION workspace_of_user();--> statement-breakpoint
CREATE TRIGGER chats_take_workspace BEFORE INSERT ON chats FOR EACH ROW EXECUTE FUNCTION workspace_of_agent();--> statement-breakpoint
CREATE TRIGGER knowledge_files_take_workspace BEFORE INSERT ON knowledge_files FOR EACH ROW EXECUTE FUNCTION workspace_of_agent();--> statement-breakpoint
CREATE TRIGGER knowledge_versions_take_workspace BEFORE INSERT ON knowledge_versions FOR EACH ROW EXECUTE FUNCTION workspace_of_agent();--> statement-breakpoint
CREATE TRIGGER agent_connectors_take_workspace BEFORE INSERT ON agent_connectors FOR EACH ROW EXECUTE FUNCTION workspace_of_agent();--> statement-breakpoint
CREATE TRIGGER agent_shares_take_workspace BEFORE INSERT ON agent_shares FOR EACH ROW EXECUTE FUNCTION workspace_of_agent();--> statement-breakpoint
CREATE TRIGGER messages_take_workspace BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION workspace_of_chat();--> statement-breakpoint
CREATE TRIGGER knowledge_chunks_take_workspace BEFORE INSERT ON knowledge_chunks FOR EACH ROW EXECUTE FUNCTION workspace_of_file();--> statement-breakpoint
CREATE TRIGGER assistant_versions_take_workspace BEFORE INSERT ON assistant_versions FOR EACH ROW EXECUTE FUNCTION workspace_of_assistant();--> statement-breakpoint
CREATE TRIGGER conversations_take_workspace BEFORE INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION workspace_of_assistant();--> statement-breakpoint
CREATE TRIGGER conversation_messages_take_workspace BEFORE INSERT ON conversation_messages FOR EACH ROW EXECUTE FUNCTION workspace_of_conversation();--> statement-breakpoint
CREATE TRIGGER budgets_take_workspace BEFORE INSERT ON budgets FOR EACH ROW EXECUTE FUNCTION workspace_of_subject();--> statement-breakpoint
CREATE TRIGGER budget_holds_take_workspace BEFORE INSERT ON budget_holds FOR EACH ROW EXECUTE FUNCTION workspace_of_budget();--> statement-breakpoint
CREATE TRIGGER squad_assistants_take_workspace BEFORE INSERT ON squad_assistants FOR EACH ROW EXECUTE FUNCTION workspace_of_squad();--> statement-breakpoint
CREATE TRIGGER platform_calls_take_workspace BEFORE INSERT ON platform_calls FOR EACH ROW EXECUTE FUNCTION workspace_of_call();--> statement-breakpoint
CREATE TRIGGER audit_entries_take_workspace BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION workspace_of_change();--> statement-breakpoint
-- Rows that are there are looked at later, without a lock.
ALTER TABLE "agents" ADD CONSTRAINT "agents_owner" FOREIGN KEY ("owner_id","workspace_id") REFERENCES "public"."users"("id","workspace_id") ON DELETE no action ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "budget_holds" ADD CONSTRAINT "budget_holds_budget" FOREIGN KEY ("budget_id","workspace_id") REFERENCES "public"."budgets"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_of_agent" FOREIGN KEY ("agent_id","workspace_id") REFERENCES "public"."agents"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_of_token" FOREIGN KEY ("token_id","workspace_id") REFERENCES "public"."tokens"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_of_agent" FOREIGN KEY ("agent_id","workspace_id") REFERENCES "public"."agents"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "agent_connectors" ADD CONSTRAINT "agent_connectors_agent" FOREIGN KEY ("agent_id","workspace_id") REFERENCES "public"."agents"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_owner" FOREIGN KEY ("owner_id","workspace_id") REFERENCES "public"."users"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_of" FOREIGN KEY ("conversation_id","workspace_id") REFERENCES "public"."conversations"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assistant" FOREIGN KEY ("assistant_id","workspace_id") REFERENCES "public"."assistants"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_file" FOREIGN KEY ("file_id","workspace_id") REFERENCES "public"."knowledge_files"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "knowledge_files" ADD CONSTRAINT "knowledge_files_agent" FOREIGN KEY ("agent_id","workspace_id") REFERENCES "public"."agents"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "knowledge_versions" ADD CONSTRAINT "knowledge_versions_agent" FOREIGN KEY ("agent_id","workspace_id") REFERENCES "public"."agents"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "assistant_versions" ADD CONSTRAINT "assistant_versions_assistant" FOREIGN KEY ("assistant_id","workspace_id") REFERENCES "public"."assistants"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_of_chat" FOREIGN KEY ("chat_id","workspace_id") REFERENCES "public"."chats"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "agent_shares" ADD CONSTRAINT "agent_shares_agent" FOREIGN KEY ("agent_id","workspace_id") REFERENCES "public"."agents"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "squad_assistants" ADD CONSTRAINT "squad_assistants_squad" FOREIGN KEY ("squad_id","workspace_id") REFERENCES "public"."squads"("id","workspace_id") ON DELETE cascade ON UPDATE cascade NOT VALID;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user" FOREIGN KEY ("user_id","workspace_id") REFERENCES "public"."users"("id","workspace_id") ON DELETE no action ON UPDATE cascade NOT VALID;