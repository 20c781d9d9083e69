import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { rowsOf, sliceOfList, sortedBy } from '../../api/paging/walk.ts'
import { writeMatched } from '../../api/preconditions/match.ts'
import type { Executor } from '../../db/client.ts'
import { warmUp } from '../../language-model/turn.ts'
import { ofAgent, requireTalk } from '../agents/access.ts'
import { requireFunds } from '../billing/spend.ts'
import { namedModel, threadModel } from '../models/service.ts'
import { requireChat } from './find.ts'
import type { Chat, ChatQuery, CreateChatInput, UpdateChatInput } from './schema.ts'
import { type ChatRow, chats } from './table.ts'

const recordOf =
  (ctx: AccountContext) =>
  (row: ChatRow): z.input<typeof Chat> => {
    const { id: model, ownedBy: provider } = threadModel(ctx, row.model)
    return {
      id: row.id,
      object: 'chat',
      title: row.title,
      model,
      provider,
      last_message_at: row.lastMessageAt?.toISOString() ?? null,
      created_at: row.createdAt.toISOString(),
    }
  }

/** A thread that has no message yet. Titles change only by PATCH or PUT (contract: chats 6). */
export const newChat = (of: Pick<ChatRow, 'id' | 'agentId' | 'workspaceId' | 'tokenId' | 'model'>, now: Date) => ({
  ...of,
  title: 'New chat',
  lastActivityAt: now,
  createdAt: now,
  updatedAt: now,
})

const latestFirst = sortedBy('desc', chats.lastActivityAt, chats.id)

/** The chats of the caller's token with an agent, newest activity first (contract: chats 3). Throws 404, 403. */
export async function listChats(ctx: AccountContext, query: z.output<typeof ChatQuery>) {
  const { row } = await requireTalk(ctx, query.agent_id)
  const where = and(eq(chats.tokenId, ctx.account.tokenId), eq(chats.agentId, row.id))
  const list = { table: chats, key: chats.id, where, sorted: latestFirst }
  const { rows, ...more } = await sliceOfList(ctx, query, {
    read: (window) =>
      ctx.db
        .select()
        .from(chats)
        .where(rowsOf(list, window))
        .orderBy(...latestFirst.order)
        .limit(window.limit),
    keysOf: ({ lastActivityAt, id }) => [lastActivityAt.toISOString(), id],
  })
  return { data: rows.map(recordOf(ctx)), ...more }
}

/** Starts a thread (contract: chats 4). Throws 422 on `model`, 404, 403, 402 when the balance is empty. */
export async function createChat(ctx: AccountContext, input: z.output<typeof CreateChatInput>) {
  const model = (await namedModel(ctx, input.model)) ?? ctx.languageModels.default
  const { row: agent } = await requireTalk(ctx, input.agent_id)
  await requireFunds(ctx, ctx.account.workspaceId)
  void warmUp()
  const id = ctx.idempotencyId ?? crypto.randomUUID()
  const of = { id, agentId: agent.id, workspaceId: agent.workspaceId, tokenId: ctx.account.tokenId, model: model.id }
  const insert = ctx.db
    .insert(chats)
    .values(newChat(of, ctx.clock.now()))
    .onConflictDoNothing({ target: chats.id })
    .returning()
  const [made] = await ofAgent(insert)
  return recordOf(ctx)(made ?? (await requireChat(ctx, input.agent_id, id)).chat)
}

/** One chat (contract: chats 5). Throws 404, 403. */
export async function getChat(ctx: AccountContext, input: { agent_id: string; chat_id: string }) {
  return recordOf(ctx)((await requireChat(ctx, input.agent_id, input.chat_id)).chat)
}

const lockChat = (id: string) => (tx: Executor) =>
  tx.select({ id: chats.id }).from(chats).where(eq(chats.id, id)).for('update')

/** Gives a chat another title (contract: chats 6). Throws 404, 403. */
export async function updateChat(ctx: AccountContext, input: z.output<typeof UpdateChatInput>) {
  const { chat } = await requireChat(ctx, input.agent_id, input.chat_id)
  const [changed] = await writeMatched(ctx, input, lockChat(chat.id), (executor) =>
    executor
      .update(chats)
      .set({ title: input.title, updatedAt: ctx.clock.now() })
      .where(eq(chats.id, chat.id))
      .returning(),
  )
  if (!changed) throw new ApiError('chat_not_found')
  return recordOf(ctx)(changed)
}

/** Deletes a chat with its messages (contract: chats 7). Throws 404, 403. */
export async function deleteChat(ctx: AccountContext, input: { agent_id: string; chat_id: string }) {
  const { chat } = await requireChat(ctx, input.agent_id, input.chat_id)
  const [deleted] = await writeMatched(ctx, input, lockChat(chat.id), (executor) =>
    executor.delete(chats).where(eq(chats.id, chat.id)).returning({ id: chats.id }),
  )
  if (!deleted) throw new ApiError('chat_not_found')
  return deleted.id
}
