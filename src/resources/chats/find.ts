import { and, eq, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { type AccessibleAgent, requireTalk } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { type ChatRow, chats } from './table.ts'

/** A chat of the caller's token, with the agent that it belongs to. */
export interface OwnChat {
  agent: AccessibleAgent
  chat: ChatRow
}

const findChat = preparedQuery('chats_find', (db, name) =>
  db
    .select({ chat: chats, agentId: agents.agentId })
    .from(chats)
    .innerJoin(agents, eq(agents.id, chats.agentId))
    .where(and(eq(chats.id, sql.placeholder('chatId')), eq(chats.tokenId, sql.placeholder('tokenId'))))
    .prepare(name),
)

/** A chat that the caller's token made, with its agent's public id, or undefined. */
export async function chatOfToken(ctx: AccountContext, chatId: string) {
  const [found] = await findChat(ctx.db).execute({ chatId, tokenId: ctx.account.tokenId })
  return found
}

/**
 * A chat of an agent that the caller may talk to. Throws 404 for the agent, 403 without MCP access, and 404 for a chat
 * that is missing, in another agent or made by another token (contract: chats 2).
 */
export async function requireChat(ctx: AccountContext, agentId: string, chatId: string): Promise<OwnChat> {
  const agent = await requireTalk(ctx, agentId)
  const found = await chatOfToken(ctx, chatId)
  if (found?.chat.agentId !== agent.row.id) throw new ApiError('chat_not_found')
  return { agent, chat: found.chat }
}
