import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Feature } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import { embeddedEmbedderId } from '../../knowledge/embedder.ts'
import { webhookDeliveries } from '../../webhooks/table.ts'
import { agents } from '../agents/table.ts'
import { assistantCounts, assistants, countedAssistants } from '../assistants/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'
import { users } from '../users/table.ts'
import { ofFeature } from './of-feature.ts'
import type { Overview } from './schema.ts'
import { today } from './today.ts'

const maxFailures = 10

async function countWhere({ db }: AccountContext, table: PgTable, column: PgColumn, id: number): Promise<number> {
  const [row] = await db.select({ count: count() }).from(table).where(eq(column, id))
  return row?.count ?? 0
}

/** Read from counters, as the total of their list is: it costs the same at any size. */
async function assistantsOf({ db, account }: AccountContext): Promise<number> {
  const [row] = await db
    .select({ count: countedAssistants })
    .from(assistantCounts)
    .where(eq(assistantCounts.workspaceId, account.workspaceId))
  return row?.count ?? 0
}

async function counts(ctx: AccountContext) {
  const { workspaceId, userId } = ctx.account
  const countOf = (feature: Feature, read: () => Promise<number>) => ofFeature(ctx, feature, read, 0)
  const [assistantCount, numberCount, squadCount, agentCount, userCount] = await Promise.all([
    countOf('assistants', () => assistantsOf(ctx)),
    countOf('phone_numbers', () => countWhere(ctx, phoneNumbers, phoneNumbers.workspaceId, workspaceId)),
    countOf('squads', () => countWhere(ctx, squads, squads.workspaceId, workspaceId)),
    countOf('ai_chat', () => countWhere(ctx, agents, agents.ownerId, userId)),
    countWhere(ctx, users, users.workspaceId, workspaceId),
  ])
  return {
    assistants: assistantCount,
    phone_numbers: numberCount,
    squads: squadCount,
    agents: agentCount,
    users: userCount,
  }
}

async function failures({ db, account }: AccountContext) {
  const rows = await db
    .select({
      delivery_id: webhookDeliveries.id,
      assistant_id: assistants.assistantId,
      assistant_name: assistants.name,
      type: webhookDeliveries.type,
      reason: webhookDeliveries.lastError,
      at: webhookDeliveries.updatedAt,
    })
    .from(webhookDeliveries)
    .innerJoin(assistants, eq(assistants.voiceAssistantId, webhookDeliveries.liveAssistantId))
    .where(
      and(
        eq(webhookDeliveries.workspaceId, account.workspaceId),
        eq(assistants.workspaceId, account.workspaceId),
        // The word stands in the statement, as the index has only rows with it.
        sql`${webhookDeliveries.status} = 'dead'`,
      ),
    )
    .orderBy(desc(webhookDeliveries.sequence))
    .limit(maxFailures)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

async function parts({ health, platform, languageModels, embedder, carrier, isWorking }: AccountContext) {
  const { default: model, list } = languageModels
  return {
    database: { kind: health.database, working: (await health.notReady()) === undefined },
    voice_platform: {
      kind: platform.simulation ? 'embedded' : 'live',
      working: platform.breaker.state === 'closed',
    },
    language_model: {
      kind: list.length > 1 ? 'configured' : 'built-in',
      id: model.id,
      working: isWorking('language model'),
    },
    embedder: {
      kind: embedder.id === embeddedEmbedderId ? 'built-in' : 'configured',
      id: embedder.id,
      working: isWorking('embeddings'),
    },
    carrier: { kind: carrier.name, working: isWorking('carrier') },
  }
}

/**
 * What the installation is made of, and what the caller's workspace has and did today, as far as the caller may read it
 * (contract: profile 13).
 */
export async function getOverview(ctx: AccountContext): Promise<z.input<typeof Overview>> {
  const [made, counted, done, failed] = await Promise.all([
    parts(ctx),
    counts(ctx),
    today(ctx),
    ofFeature(ctx, 'assistants', () => failures(ctx), []),
  ])
  return { parts: made, counts: counted, today: done, failures: failed }
}
