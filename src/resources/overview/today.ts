import { and, count, eq, gte, isNotNull, sql, sum } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { isPlainUuid } from '../../runtime/uuid.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { assistants } from '../assistants/table.ts'
import { ledger } from '../billing/table.ts'
import { usd } from '../billing/wallet.ts'
import { chats } from '../chats/table.ts'
import { messages } from '../messages/table.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { requireWorkspace } from '../workspaces/service.ts'

/** How many assistants are looked up at once. */
const idsAtOnce = 1_000

/** Which of these assistants of the platform are the workspace's. */
async function ownAmong({ db, account }: AccountContext, ids: readonly string[]): Promise<string[]> {
  const own: string[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = sql`any(${sql.param(ids.slice(from, from + idsAtOnce))}::uuid[])`
    const rows = await db
      .select({ id: assistants.voiceAssistantId })
      .from(assistants)
      .where(and(eq(assistants.workspaceId, account.workspaceId), sql`${assistants.voiceAssistantId} = ${some}`))
    own.push(...rows.map(({ id }) => id))
  }
  return own
}

/**
 * The workspace's calls since then; null while the platform does not respond. It is asked for those of all, which are few
 * beside the assistants that a workspace can have.
 */
async function callsSince(ctx: AccountContext, since: Date): Promise<number | null> {
  try {
    const counts = await ctx.platform.history.countsSince(since)
    const own = await ownAmong(ctx, [...counts.keys()].filter(isPlainUuid))
    return own.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0)
  } catch (error) {
    if (error instanceof PlatformError) return null
    throw error
  }
}

async function turnsSince({ db, account }: AccountContext, since: Date): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .innerJoin(tokens, eq(tokens.id, chats.tokenId))
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(
      and(
        eq(users.workspaceId, account.workspaceId),
        gte(chats.lastActivityAt, since),
        gte(messages.createdAt, since),
        isNotNull(messages.model),
      ),
    )
  return row?.count ?? 0
}

async function spentSince({ db, account }: AccountContext, since: Date) {
  const { billing, id } = await requireWorkspace(db, account.workspaceId)
  if (billing === 'none') return { spent_usd: null, spent_tokens: null }
  const [row] = await db
    .select({ delta: sum(ledger.delta).mapWith(Number) })
    .from(ledger)
    .where(
      and(
        eq(ledger.workspaceId, id),
        eq(ledger.currency, billing),
        eq(ledger.kind, 'charge'),
        gte(ledger.createdAt, since),
      ),
    )
  const spent = -(row?.delta ?? 0)
  return billing === 'usd' ? { spent_usd: usd(spent), spent_tokens: null } : { spent_usd: null, spent_tokens: spent }
}

/** What happened in the caller's workspace since midnight, UTC. */
export async function today(ctx: AccountContext) {
  const since = ctx.clock.now()
  since.setUTCHours(0, 0, 0, 0)
  const [calls, turns, spent] = await Promise.all([
    callsSince(ctx, since),
    turnsSince(ctx, since),
    spentSince(ctx, since),
  ])
  return { calls, turns, ...spent }
}
