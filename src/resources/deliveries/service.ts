import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { inScope } from '../../accounts/scope.ts'
import { authorise } from '../../api/auth/gate.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import { dueNow } from '../../db/schedule.ts'
import { webhookDeliveries } from '../../webhooks/table.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { assistants } from '../assistants/table.ts'
import { shown } from '../history/diff.ts'
import type { Delivery, DeliveryListInput } from './schema.ts'

const table = webhookDeliveries
const { payload: _large, response: _asked, request: _sealed, ...columns } = getTableColumns(table)

type Row = Omit<typeof table.$inferSelect, 'payload' | 'response' | 'request'>

const deliveryOf = (row: Row): z.input<typeof Delivery> => ({
  id: row.id,
  type: row.type,
  call_id: row.callId,
  url: row.address,
  status: row.status,
  attempts: row.attempts,
  last_status: row.lastStatus,
  last_error: row.lastError,
  next_attempt_at: row.status === 'pending' ? row.dueAt.toISOString() : null,
  delivered_at: row.deliveredAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
})

const newestFirst = sortedBy('desc', table.sequence)

/** What was and is to be sent about an assistant's calls, newest first. Throws 404. */
export async function listDeliveries(ctx: AccountContext, query: z.output<typeof DeliveryListInput>) {
  const { voiceAssistantId } = await requireAssistant(ctx, query.assistantId)
  const mine = and(
    eq(table.liveAssistantId, voiceAssistantId),
    query.status === undefined ? undefined : eq(table.status, query.status),
  )
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select(columns)
        .from(table)
        .where(and(mine, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ sequence }) => [sequence],
    total: () => ctx.db.$count(table, mine),
  })
  return { data: rows.map(deliveryOf), pagination }
}

/** A delivery of an assistant of the caller's accounts. Throws 404. */
async function requireDelivery(ctx: AccountContext, id: string) {
  const [row] = await ctx.db
    .select({ ...columns, payload: table.payload, response: table.response })
    .from(table)
    .innerJoin(assistants, eq(assistants.voiceAssistantId, table.liveAssistantId))
    .where(and(eq(table.id, id), inScope(ctx.scope, assistants)))
  if (!row) throw new ApiError('delivery_not_found')
  authorise(ctx)
  return row
}

/** One delivery with its body and what was responded to a question, secrets masked. Throws 404. */
export async function getDelivery(ctx: AccountContext, input: { id: string }) {
  const { payload, response, ...row } = await requireDelivery(ctx, input.id)
  const masked = shown('', payload) as Record<string, unknown>
  return { ...deliveryOf(row), payload: masked, response: response ?? null }
}

/**
 * Sends a delivery again, now, whatever became of it, with as many retries as its plan gives. The address and the
 * headers are those of then. Throws 404, 403 for viewers.
 */
export async function replayDelivery(ctx: AccountContext, input: { id: string }) {
  await requireDelivery(ctx, input.id)
  const [row] = await ctx.db
    .update(table)
    .set({
      status: 'pending',
      dueAt: dueNow,
      owner: null,
      deliveredAt: null,
      maxAttempts: sql`${table.attempts} + 1 + coalesce((${table.backoffPlan} ->> 'maxRetries')::int, 0)`,
      updatedAt: sql`now()`,
    })
    .where(eq(table.id, input.id))
    .returning(columns)
  if (!row) throw new ApiError('delivery_not_found')
  ctx.webhooks.wake()
  return deliveryOf(row)
}
