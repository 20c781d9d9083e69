import { and, count, desc, eq, getTableColumns, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Transaction } from '../../../db/client.ts'
import { rowsAtOnce } from '../../../db/slices.ts'
import type { WebhookMessage } from '../../../webhooks/message.ts'
import type { Period } from '../../calls/days.ts'
import { figuresOf } from '../../calls/figures.ts'
import type { CallWindow } from '../../calls/history.ts'
import type { CallTotals } from '../../calls/totals.ts'
import type { KeepReply } from '../../converse.ts'
import { textOf } from '../../mapping/settings.ts'
import { type PlatformObject, type StoreFilter, within } from '../store/store.ts'
import { platformCalls, platformObjects } from '../store/table.ts'
import { totalsOf } from './totals.ts'

export interface CallFilter extends StoreFilter {
  assistantId?: string
  phoneNumberId?: string
  id?: string
}

/** Where the embedded platform keeps its calls. A missing one is null. */
export interface CallStore {
  find(id: string): Promise<PlatformObject | null>
  remove(id: string): Promise<PlatformObject | null>
  /**
   * Writes a new call, held for this process, and queues what is to be sent about it, in one step; false, and nothing
   * is written, when there is one with its id.
   */
  add(call: PlatformObject, messages: readonly WebhookMessage[]): Promise<boolean>
  /**
   * Changes a running call in the same way; false, and nothing is written, when it had ended or was deleted, or another
   * process took it.
   */
  update(call: PlatformObject, messages: readonly WebhookMessage[]): Promise<boolean>
  /** Saves a call that ends with the webhooks of its end, whoever took it: nobody holds it any more. */
  end(call: PlatformObject, messages: readonly WebhookMessage[]): Promise<boolean>
  /** Keeps running calls this process's for another while. */
  hold(ids: readonly string[]): Promise<void>
  /** Newest first. */
  list(filter: CallFilter): Promise<PlatformObject[]>
  totals(assistantId: string, period: Period): Promise<CallTotals>
  /** How many calls these assistants have had since then. */
  countSince(assistantIds: readonly string[], since: Date): Promise<number>
  page(assistantId: string, window: CallWindow): Promise<{ calls: PlatformObject[]; total: number }>
  /**
   * Keeps replies of a call that runs, in one transaction with seeing that it does and that no other process took it,
   * else throws CallLostError; undefined where nothing is charged.
   */
  keeperOf(id: string): KeepReply | undefined
  /** Takes running calls that no process holds any more; `all`: whoever holds them is gone. */
  takeAbandoned(all: boolean): Promise<PlatformObject[]>
}

/** Queues webhooks within the transaction that records what they tell. */
export type Outbox = (tx: Transaction, messages: readonly WebhookMessage[]) => Promise<void>

/** A call whose reply nobody waits for: it has ended, was deleted, or another process took it. */
export class CallLostError extends Error {
  override readonly name = 'CallLostError'
}

export const callKind = 'call'
/** How a call ends that another process took; its row says so from then on. */
export const workerDied = 'call.in-progress.error-vapifault-worker-died'
const table = platformCalls

/** How long a call outlives the process that simulates it, before another ends it. By the database's clock. */
const held = sql`now() + interval '15 seconds'`
/** Calls of earlier versions were not held. */
const unheld = sql`${table.createdAt} + interval '10 minutes'`
const running = sql`not ${table.ended}`
/** Of the calls that a process began: those that no other one took. */
const mine = sql`${running} and ${table.endedReason} is null`
const abandonedAt = sql`coalesce(${table.heldUntil}, ${unheld})`
/** When the next running call is left by whoever simulated it, unless that one renews it; null when none runs. */
export const nextAbandoned = sql<Date | null>`(select min(${abandonedAt}) from ${table} where not ${table.ended})`
const takenAtOnce = 100

/** A call without its messages, which hold the prompt and all that was said, three times over. */
const shownBody = sql<Record<string, unknown>>`${platformObjects.body} - 'messages'
  #- '{artifact,messages}' #- '{artifact,messagesOpenAIFormatted}'`.mapWith(platformObjects.body)

/** The columns of a call beside its object. */
function narrow({ id, body, createdAt }: PlatformObject): typeof platformCalls.$inferInsert {
  const { parts, ...figures } = figuresOf({ ...body, createdAt: createdAt.toISOString() })
  return {
    ...figures,
    ...parts,
    id,
    createdAt,
    assistantId: textOf(body.assistantId) ?? null,
    phoneNumberId: textOf(body.phoneNumberId) ?? null,
  }
}

/**
 * Calls on the project's own database. Without an outbox nothing is sent about them; statistics add up `atOnce` calls
 * at a time.
 */
export function createCallStore<Schema extends Record<string, unknown>>(
  db: PostgresJsDatabase<Schema>,
  outbox?: Outbox,
  atOnce = rowsAtOnce,
): CallStore {
  const objects = getTableColumns(platformObjects)
  const joined = () => db.select(objects).from(table).innerJoin(platformObjects, eq(platformObjects.id, table.id))
  const one = (id: string) => and(eq(platformObjects.id, id), eq(platformObjects.kind, callKind))

  /** Writes a call that has not ended; `heldUntil` says how long it is this process's. */
  const change = (call: PlatformObject, messages: readonly WebhookMessage[], which: SQL, heldUntil: SQL | null) =>
    db.transaction(async (tx) => {
      const { id, ...columns } = narrow(call)
      const [changed] = await tx
        .update(table)
        .set({ ...columns, heldUntil })
        .where(and(eq(table.id, id), which))
        .returning({ id: table.id })
      if (!changed) return false
      const { body, updatedAt } = call
      await tx.update(platformObjects).set({ body, updatedAt }).where(eq(platformObjects.id, id))
      if (messages.length > 0) await outbox?.(tx as Transaction, messages)
      return true
    })

  return {
    async find(id) {
      const [found] = await db.select().from(platformObjects).where(one(id))
      return found ?? null
    },

    async remove(id) {
      const [removed] = await db.delete(platformObjects).where(one(id)).returning()
      return removed ?? null
    },

    add: (call, messages) =>
      db.transaction(async (tx) => {
        const [added] = await tx
          .insert(platformObjects)
          .values(call)
          .onConflictDoNothing({ target: platformObjects.id })
          .returning({ id: platformObjects.id })
        if (!added) return false
        await tx.insert(table).values({ ...narrow(call), heldUntil: held })
        if (messages.length > 0) await outbox?.(tx as Transaction, messages)
        return true
      }),

    list: ({ limit, createdAt, updatedAt, assistantId, phoneNumberId, id }) =>
      joined()
        .where(
          and(
            assistantId === undefined ? undefined : eq(table.assistantId, assistantId),
            phoneNumberId === undefined ? undefined : eq(table.phoneNumberId, phoneNumberId),
            id === undefined ? undefined : eq(table.id, id),
            ...within(table.createdAt, createdAt),
            ...within(platformObjects.updatedAt, updatedAt),
          ),
        )
        .orderBy(desc(table.createdAt))
        .limit(limit),

    totals: (assistantId, period) => totalsOf(db, { assistantId, period, atOnce }),

    async countSince(assistantIds, since) {
      const ids = sql`any(${sql.param([...assistantIds])}::uuid[])`
      const [row] = await db
        .select({ count: count() })
        .from(table)
        .where(and(sql`${table.assistantId} = ${ids}`, gte(table.createdAt, since)))
      return row?.count ?? 0
    },

    async page(assistantId, { limit, offset, after }) {
      const mine = eq(table.assistantId, assistantId)
      const rest =
        after &&
        and(
          sql`${table.createdAt} <= ${after.createdAt}`,
          sql`(${table.createdAt} < ${after.createdAt}
        or ${table.id} > ${after.id})`,
        )
      const newest = db
        .select({ id: table.id })
        .from(table)
        .where(and(mine, rest))
        .orderBy(desc(table.createdAt), table.id)
        .limit(limit)
        .offset(offset)
        .as('newest')
      const [calls, [counted]] = await Promise.all([
        db
          .select({ ...objects, body: shownBody })
          .from(newest)
          .innerJoin(platformObjects, eq(platformObjects.id, newest.id))
          .orderBy(desc(platformObjects.createdAt), platformObjects.id),
        after ? [] : db.select({ total: count() }).from(table).where(mine),
      ])
      return { calls, total: counted?.total ?? 0 }
    },

    update: (call, messages) => change(call, messages, mine, held),

    end: (call, messages) => change(call, messages, running, null),

    async hold(ids) {
      if (ids.length === 0) return
      await db
        .update(table)
        .set({ heldUntil: held })
        .where(and(inArray(table.id, [...ids]), mine))
    },

    keeperOf: (id) => (_reply, charge) =>
      db.transaction(async (tx) => {
        const [found] = await tx
          .select({ id: table.id })
          .from(table)
          .where(and(eq(table.id, id), mine))
          .for('no key update')
        if (!found) throw new CallLostError('The call goes on no more')
        await charge(tx as Transaction)
      }),

    async takeAbandoned(all) {
      const left = db
        .select({ id: table.id })
        .from(table)
        .where(and(running, all ? undefined : sql`${abandonedAt} < now()`))
        .limit(takenAtOnce)
        .for('update', { skipLocked: true })
      const taken = await db
        .update(table)
        .set({ heldUntil: held, endedReason: workerDied })
        .where(inArray(table.id, left))
        .returning({ id: table.id })
      if (taken.length === 0) return []
      return joined().where(
        inArray(
          table.id,
          taken.map(({ id }) => id),
        ),
      )
    },
  }
}
