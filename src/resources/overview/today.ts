import { and, count, eq, gte, isNotNull, sum } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { assistants } from '../assistants/table.ts'
import { ledger } from '../billing/table.ts'
import { usd } from '../billing/wallet.ts'
import { chats } from '../chats/table.ts'
import { messages } from '../messages/table.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import { ofFeature } from './of-feature.ts'

/** The workspace's calls since then; null while the platform does not respond. */
async function callsSince({ db, account, platform }: AccountContext, since: Date): Promise<number | null> {
  try {
    const rows = await db
      .select({ id: assistants.voiceAssistantId })
      .from(assistants)
      .where(eq(assistants.workspaceId, account.workspaceId))
    if (rows.length === 0) return 0
    return await platform.history.countSince(
      rows.map(({ id }) => id),
      since,
    )
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

interface Spent {
  spent_usd: number | null
  spent_tokens: number | null
}

const nothingSpent: Spent = { spent_usd: null, spent_tokens: null }

async function spentSince({ db, account }: AccountContext, since: Date): Promise<Spent> {
  const { billing, id } = await requireWorkspace(db, account.workspaceId)
  if (billing === 'none') return nothingSpent
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

/** What happened in the caller's workspace since midnight, UTC, as far as the caller may read it. */
export async function today(ctx: AccountContext) {
  const since = ctx.clock.now()
  since.setUTCHours(0, 0, 0, 0)
  const [calls, turns, spent] = await Promise.all([
    ofFeature(ctx, 'assistants', () => callsSince(ctx, since), null),
    ofFeature(ctx, 'ai_chat', () => turnsSince(ctx, since), 0),
    ofFeature(ctx, 'ai_chat', () => spentSince(ctx, since), nothingSpent),
  ])
  return { calls, turns, ...spent }
}
