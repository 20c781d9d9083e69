import { and, count, eq, or, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { ownShare } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { chats } from '../chats/table.ts'
import { shares } from '../shares/table.ts'

const countAgents = preparedQuery('usage_agents', (db, name) =>
  db
    .select({ count: count() })
    .from(agents)
    .where(eq(agents.ownerId, sql.placeholder('userId')))
    .prepare(name),
)

const countChats = preparedQuery('usage_chats', (db, name) =>
  db
    .select({ count: count() })
    .from(chats)
    .innerJoin(agents, eq(agents.id, chats.agentId))
    .leftJoin(shares, ownShare)
    .where(
      and(
        eq(chats.tokenId, sql.placeholder('tokenId')),
        or(eq(agents.ownerId, sql.placeholder('userId')), shares.mcpAccess),
      ),
    )
    .prepare(name),
)

/**
 * How many agents the caller owns, and how many chats its token has with agents that it may talk to
 * (contract: billing 2).
 */
export async function countsOf({ db, account }: AccountContext): Promise<{ agents: number; chats: number }> {
  const { userId, tokenId } = account
  const [[own], [threads]] = await Promise.all([
    countAgents(db).execute({ userId }),
    countChats(db).execute({ tokenId, userId }),
  ])
  return { agents: own?.count ?? 0, chats: threads?.count ?? 0 }
}
