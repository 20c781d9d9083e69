-- In turns: each of these stands alone and is sent again until it changes no row, so that nobody waits for more than a few.
-- What belongs to an agent, a token or a conversation follows it by the foreign keys.
UPDATE agents SET workspace_id = next.workspace_id FROM (
  SELECT t.id, p.workspace_id FROM agents t JOIN users p ON p.id = t.owner_id
  WHERE t.workspace_id = 0 LIMIT 200 FOR KEY SHARE OF p) next
WHERE agents.id = next.id;--> statement-breakpoint
UPDATE tokens SET workspace_id = next.workspace_id FROM (
  SELECT t.id, p.workspace_id FROM tokens t JOIN users p ON p.id = t.user_id
  WHERE t.workspace_id = 0 LIMIT 500 FOR KEY SHARE OF p) next
WHERE tokens.id = next.id;--> statement-breakpoint
UPDATE connectors SET workspace_id = next.workspace_id FROM (
  SELECT t.id, p.workspace_id FROM connectors t JOIN users p ON p.id = t.owner_id
  WHERE t.workspace_id = 0 LIMIT 500 FOR KEY SHARE OF p) next
WHERE connectors.id = next.id;--> statement-breakpoint
UPDATE conversations SET workspace_id = next.workspace_id FROM (
  SELECT t.id, p.workspace_id FROM conversations t JOIN assistants p ON p.id = t.assistant_id
  WHERE t.workspace_id = 0 LIMIT 500 FOR KEY SHARE OF p) next
WHERE conversations.id = next.id;--> statement-breakpoint
UPDATE assistant_versions SET workspace_id = next.workspace_id FROM (
  SELECT t.id, p.workspace_id FROM assistant_versions t JOIN assistants p ON p.id = t.assistant_id
  WHERE t.workspace_id = 0 LIMIT 10000 FOR KEY SHARE OF p) next
WHERE assistant_versions.id = next.id;--> statement-breakpoint
UPDATE squad_assistants SET workspace_id = p.workspace_id FROM squads p
WHERE p.id = squad_id AND squad_assistants.workspace_id = 0;--> statement-breakpoint
UPDATE audit_entries SET workspace_id = p.workspace_id FROM users p
WHERE subject_kind = 'user' AND subject_id = p.id::text AND audit_entries.workspace_id = 0;--> statement-breakpoint
UPDATE audit_entries SET workspace_id = p.workspace_id FROM tokens p
WHERE subject_kind = 'token' AND subject_id = p.id::text AND audit_entries.workspace_id = 0;--> statement-breakpoint
UPDATE audit_entries SET workspace_id = p.id FROM workspaces p
WHERE subject_kind = 'workspace' AND subject_id = p.id::text AND audit_entries.workspace_id = 0;--> statement-breakpoint
UPDATE platform_calls SET workspace_id = p.workspace_id FROM assistants p
WHERE p.voice_assistant_id = platform_calls.assistant_id AND platform_calls.workspace_id = 0;--> statement-breakpoint
UPDATE platform_calls SET workspace_id = p.workspace_id FROM phone_numbers p
WHERE p.voice_phone_number_id = platform_calls.phone_number_id AND platform_calls.workspace_id = 0;--> statement-breakpoint
ALTER TABLE "agents" VALIDATE CONSTRAINT "agents_owner";--> statement-breakpoint
ALTER TABLE "budget_holds" VALIDATE CONSTRAINT "budget_holds_budget";--> statement-breakpoint
ALTER TABLE "budgets" VALIDATE CONSTRAINT "budgets_of_agent";--> statement-breakpoint
ALTER TABLE "budgets" VALIDATE CONSTRAINT "budgets_of_token";--> statement-breakpoint
ALTER TABLE "chats" VALIDATE CONSTRAINT "chats_of_agent";--> statement-breakpoint
ALTER TABLE "agent_connectors" VALIDATE CONSTRAINT "agent_connectors_agent";--> statement-breakpoint
ALTER TABLE "connectors" VALIDATE CONSTRAINT "connectors_owner";--> statement-breakpoint
ALTER TABLE "conversation_messages" VALIDATE CONSTRAINT "conversation_messages_of";--> statement-breakpoint
ALTER TABLE "conversations" VALIDATE CONSTRAINT "conversations_assistant";--> statement-breakpoint
ALTER TABLE "knowledge_chunks" VALIDATE CONSTRAINT "knowledge_chunks_file";--> statement-breakpoint
ALTER TABLE "knowledge_files" VALIDATE CONSTRAINT "knowledge_files_agent";--> statement-breakpoint
ALTER TABLE "knowledge_versions" VALIDATE CONSTRAINT "knowledge_versions_agent";--> statement-breakpoint
ALTER TABLE "assistant_versions" VALIDATE CONSTRAINT "assistant_versions_assistant";--> statement-breakpoint
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_of_chat";--> statement-breakpoint
ALTER TABLE "agent_shares" VALIDATE CONSTRAINT "agent_shares_agent";--> statement-breakpoint
ALTER TABLE "squad_assistants" VALIDATE CONSTRAINT "squad_assistants_squad";--> statement-breakpoint
ALTER TABLE "tokens" VALIDATE CONSTRAINT "tokens_user";--> statement-breakpoint
ALTER TABLE "agents" DROP CONSTRAINT IF EXISTS "agents_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "budget_holds" DROP CONSTRAINT IF EXISTS "budget_holds_budget_id_budgets_id_fk";--> statement-breakpoint
ALTER TABLE "budgets" DROP CONSTRAINT IF EXISTS "budgets_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "budgets" DROP CONSTRAINT IF EXISTS "budgets_token_id_tokens_id_fk";--> statement-breakpoint
ALTER TABLE "chats" DROP CONSTRAINT IF EXISTS "chats_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "agent_connectors" DROP CONSTRAINT IF EXISTS "agent_connectors_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "connectors" DROP CONSTRAINT IF EXISTS "connectors_owner_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "conversation_messages" DROP CONSTRAINT IF EXISTS "conversation_messages_conversation_id_conversations_id_fk";--> statement-breakpoint
ALTER TABLE "conversations" DROP CONSTRAINT IF EXISTS "conversations_assistant_id_assistants_id_fk";--> statement-breakpoint
ALTER TABLE "knowledge_chunks" DROP CONSTRAINT IF EXISTS "knowledge_chunks_file_id_knowledge_files_id_fk";--> statement-breakpoint
ALTER TABLE "knowledge_chunks" DROP CONSTRAINT IF EXISTS "knowledge_chunks_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "knowledge_files" DROP CONSTRAINT IF EXISTS "knowledge_files_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "knowledge_versions" DROP CONSTRAINT IF EXISTS "knowledge_versions_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "assistant_versions" DROP CONSTRAINT IF EXISTS "assistant_versions_assistant_id_assistants_id_fk";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT IF EXISTS "messages_chat_id_chats_id_fk";--> statement-breakpoint
ALTER TABLE "agent_shares" DROP CONSTRAINT IF EXISTS "agent_shares_agent_id_agents_id_fk";--> statement-breakpoint
ALTER TABLE "squad_assistants" DROP CONSTRAINT IF EXISTS "squad_assistants_squad_id_squads_id_fk";--> statement-breakpoint
ALTER TABLE "tokens" DROP CONSTRAINT IF EXISTS "tokens_user_id_users_id_fk";