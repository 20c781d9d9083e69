ALTER TABLE "messages" ADD COLUMN "memorable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What owners said since the last look is still to be remembered; who could edit when is known of nobody else.
UPDATE "messages" SET "memorable" = true
FROM "chats", "tokens", "agents"
WHERE "chats"."id" = "messages"."chat_id" AND "tokens"."id" = "chats"."token_id" AND "agents"."id" = "chats"."agent_id"
  AND "tokens"."user_id" = "agents"."owner_id" AND "messages"."id" > "agents"."memory_message_id" AND "messages"."role" = 'user';
