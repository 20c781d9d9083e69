import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import {
  type AccessibleAgent,
  accessTo,
  agentColumns,
  type FoundAgent,
  ownShare,
  requireMcp,
} from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { messages } from '../messages/table.ts'
import { shares } from '../shares/table.ts'
import { type ChatRow, chats } from './table.ts'

/** A chat as it is found, with its newest message; 0 when there is none. */
export interface FoundChat extends ChatRow {
  newestMessageId: number
}

/** A chat of the caller's token, with the agent that it belongs to. */
export interface OwnChat {
  agent: AccessibleAgent
  chat: FoundChat
}

const chatColumns = {
  ...getTableColumns(chats),
  newestMessageId: sql`coalesce((select max(${messages.id}) from ${messages} where ${messages.chatId} = ${chats.id}), 0)`,
}
const columns = { agent: agentColumns, chat: chatColumns }
const ofToken = and(eq(chats.id, sql.placeholder('chatId')), eq(chats.tokenId, sql.placeholder('tokenId')))

/** An agent, and the chat of that id that the token has with it. */
const findInAgent = preparedSelect<{ agent: FoundAgent; chat: FoundChat | null }>(columns, (executor) =>
  executor
    .select(columns)
    .from(agents)
    .leftJoin(shares, ownShare)
    .leftJoin(chats, and(eq(chats.agentId, agents.id), ofToken))
    .where(eq(agents.agentId, sql.placeholder('agentId'))),
)

/** The chat of that id that the token has with any agent. */
const findInAny = preparedSelect<{ agent: FoundAgent; chat: FoundChat }>(columns, (executor) =>
  executor
    .select(columns)
    .from(chats)
    .innerJoin(agents, eq(agents.id, chats.agentId))
    .leftJoin(shares, ownShare)
    .where(ofToken),
)

/**
 * A chat of an agent that the caller may talk to. Throws 404 for the agent, 403 without MCP access, and 404 for a chat
 * that is missing, in another agent or made by another token (contract: chats 2).
 */
export async function requireChat(ctx: AccountContext, agentId: string, chatId: string): Promise<OwnChat> {
  const { userId, tokenId } = ctx.account
  const [found] = await findInAgent(ctx.db, { agentId, userId, chatId, tokenId })
  const agent = requireMcp(accessTo(ctx, found?.agent))
  if (!found?.chat) throw new ApiError('chat_not_found')
  return { agent, chat: found.chat }
}

/**
 * The same without an agent's name. Throws 404 for a chat that is missing or made by another token, then 404 for an
 * agent that the caller has no access to, and 403 without MCP access.
 */
export async function requireOwnChat(ctx: AccountContext, chatId: string): Promise<OwnChat> {
  const { userId, tokenId } = ctx.account
  const [found] = await findInAny(ctx.db, { userId, chatId, tokenId })
  if (!found) throw new ApiError('chat_not_found')
  return { agent: requireMcp(accessTo(ctx, found.agent)), chat: found.chat }
}
