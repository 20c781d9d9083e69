import { and, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { inScope } from '../../accounts/scope.ts'
import { mayRead } from '../../accounts/token-scopes.ts'
import { authorise } from '../../api/auth/gate.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { pageOfList, rowsOf, sortedBy } from '../../api/paging/walk.ts'
import { dueNow } from '../../db/schedule.ts'
import { webhookDeliveries } from '../../webhooks/table.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import { assistants } from '../assistants/table.ts'
import { maskedValue } from '../history/mask.ts'
import { workspaces } from '../workspaces/table.ts'
import type { Delivery, DeliveryListInput, UnassignedListInput } from './schema.ts'

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

/** A page of the deliveries that a condition selects, newest first. */
async function pageOf(ctx: AccountContext, query: z.output<typeof UnassignedListInput>, selected: SQL | undefined) {
  const mine = and(selected, query.status === undefined ? undefined : eq(table.status, query.status))
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: (window) =>
      ctx.db
        .select(columns)
        .from(table)
        .where(rowsOf({ table, key: table.sequence, where: mine, sorted: newestFirst }, window))
        .orderBy(...newestFirst.order)
        .limit(window.limit),
    keysOf: ({ sequence }) => [sequence],
    total: () => ctx.db.$count(table, mine),
  })
  return { data: rows.map(deliveryOf), pagination }
}

/** What was and is to be sent about an assistant's calls, newest first. Throws 404. */
export async function listDeliveries(ctx: AccountContext, query: z.output<typeof DeliveryListInput>) {
  const { voiceAssistantId } = await requireAssistant(ctx, query.assistantId)
  return pageOf(ctx, query, eq(table.liveAssistantId, voiceAssistantId))
}

function isOfAccounts({ db, scope }: AccountContext): SQL | undefined {
  if (scope.kind === 'all') return undefined
  if (scope.kind === 'workspace') return eq(table.workspaceId, scope.id)
  const theirs = db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.resellerId, scope.id))
  return inArray(table.workspaceId, theirs)
}

const mayReadNumbers = ({ account }: AccountContext) => mayRead(account, 'phone_numbers')

/**
 * Those of calls of the caller's accounts, as the assistant or the number was theirs at that time; where only the
 * number was, for who may see numbers (contract: webhooks 8).
 */
const isTheirs = (ctx: AccountContext): SQL | undefined =>
  and(isOfAccounts(ctx), mayReadNumbers(ctx) ? sql`true` : isNotNull(table.liveAssistantId))

/**
 * What was and is to be sent about calls that no assistant of the caller's accounts is known to have taken, or about
 * all of a workspace, or about one call.
 */
export async function listUnassigned(ctx: AccountContext, query: z.output<typeof UnassignedListInput>) {
  authorise(ctx)
  const { workspace_id, call_id } = query
  const unassigned = mayReadNumbers(ctx) ? isNull(table.liveAssistantId) : sql`false`
  const named = and(
    workspace_id === undefined ? undefined : eq(table.workspaceId, workspace_id),
    call_id === undefined ? undefined : eq(table.callId, call_id),
  )
  return pageOf(ctx, query, and(named ?? unassigned, isTheirs(ctx)))
}

/** A delivery of an assistant or of a call of the caller's accounts. Throws 404. */
async function requireDelivery(ctx: AccountContext, id: string) {
  const [row] = await ctx.db
    .select({ ...columns, payload: table.payload, response: table.response })
    .from(table)
    .leftJoin(assistants, eq(assistants.voiceAssistantId, table.liveAssistantId))
    .where(and(eq(table.id, id), or(and(isNotNull(assistants.id), inScope(ctx.scope, assistants)), isTheirs(ctx))))
  if (!row) throw new ApiError('delivery_not_found')
  authorise(ctx)
  return row
}

/** One delivery with its body and what was responded to a question, secrets masked. Throws 404. */
export async function getDelivery(ctx: AccountContext, input: { id: string }) {
  const { payload, response, ...row } = await requireDelivery(ctx, input.id)
  const masked = maskedValue('', payload) as Record<string, unknown>
  return { ...deliveryOf(row), payload: masked, response: response ?? null }
}

/**
 * Sends a delivery again, now, whatever became of it, with as many retries as its plan gives. The address and the
 * headers are those of then. Throws 404, 403 for viewers.
 */
export async function replayDelivery(ctx: AccountContext, input: { id: string }) {
  await requireDelivery(ctx, input.id)
  const replayed = await makeOnce(ctx, async (tx) => {
    const [row] = await tx
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
    return deliveryOf(row)
  })
  ctx.webhooks.wake()
  return replayed
}
