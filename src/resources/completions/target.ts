import { desc, eq } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { uuidId } from '../../api/schemas.ts'
import { type AccessibleAgent, requireTalk } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { type OwnChat, requireChat, requireOwnChat } from '../chats/find.ts'

/** An id of a body, or undefined when it has not the form of one. */
const idIn = (value: string) => uuidId.safeParse(value).data

/** Of the caller's own agents alone: nobody becomes a default by sharing (contract: completions 2). */
async function lastActive(ctx: AccountContext): Promise<string | undefined> {
  const [found] = await ctx.db
    .select({ agentId: agents.agentId })
    .from(agents)
    .where(eq(agents.ownerId, ctx.account.userId))
    .orderBy(desc(agents.lastActivityAt), desc(agents.id))
    .limit(1)
  return found?.agentId
}

/** The agent of a stateless completion: the one named, else the most recently active own one. Throws 404, 403. */
export async function agentFor(ctx: AccountContext, named: string | null | undefined): Promise<AccessibleAgent> {
  const agentId = named == null ? await lastActive(ctx) : idIn(named)
  if (agentId === undefined) throw new ApiError('agent_not_found')
  return requireTalk(ctx, agentId)
}

/** The thread of a stateful completion; without a named agent the chat's own replies. Throws 404, 403. */
export async function threadFor(ctx: AccountContext, chat: string, named: string | null | undefined): Promise<OwnChat> {
  const chatId = idIn(chat)
  if (named != null) {
    const agentId = idIn(named)
    if (agentId === undefined) throw new ApiError('agent_not_found')
    if (chatId === undefined) throw new ApiError('chat_not_found')
    return requireChat(ctx, agentId, chatId)
  }
  if (chatId === undefined) throw new ApiError('chat_not_found')
  return requireOwnChat(ctx, chatId)
}
