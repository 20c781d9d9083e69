import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import type { Vault } from '../secrets/vault.ts'
import { pauseMs } from './backoff.ts'
import { openRequest } from './request.ts'
import { type Attempt, type Sender, sendWebhook } from './send.ts'
import { webhookDeliveries } from './table.ts'

interface QueueOptions extends Sender {
  db: Database
  log: Logger
  vault: Vault
  /** How many are sent at the same time; a workspace gets a quarter of what is free, one at least. */
  most?: number
  /** How often the queue is looked at besides, in milliseconds. */
  everyMs?: number
}

/** Sends what is queued, each at its time. All its times are the database's clock, so that instances need no common one. */
export interface WebhookQueue {
  /** Looks at the queue now and again until `stop`. `alone`: no other process sends from this database. */
  start(alone: boolean): Promise<void>
  /** Looks at the queue now, if it was started. */
  wake(): void
  /** Sends all that is due, and what becomes due meanwhile; resolves when nothing is. */
  drain(): Promise<void>
  /** Breaks off what is being sent: whoever looks next sends it again. */
  stop(): Promise<void>
}

type Row = typeof webhookDeliveries.$inferSelect

const table = webhookDeliveries
/** A workspace gets one of so many free places. */
const shareOfFree = 4
/** Beyond its timeout, how long a delivery outlives a crash of its sender. */
const graceSeconds = 15

const after = (ms: number): SQL => sql`now() + ${ms} * interval '1 millisecond'`

/** Makes the queue of webhooks on the project's database. */
export function createWebhookQueue(options: QueueOptions): WebhookQueue {
  const { db, log, vault, most = 64, everyMs = 1000 } = options
  const sending = new Map<Promise<void>, number>()
  let ended = new AbortController()
  let timer: ReturnType<typeof setInterval> | undefined
  let claiming: Promise<number> | undefined
  /** Something became due while the queue was looked at. */
  let lookAgain = false

  /** How many of each workspace are being sent here. */
  const underWay = () => {
    const counts: Record<number, number> = {}
    for (const workspace of sending.values()) counts[workspace] = (counts[workspace] ?? 0) + 1
    return counts
  }

  /**
   * Takes rows that are due: of every workspace that has some in turn, and of none more than its share, so that one
   * whose receivers are silent holds up no other. Those of one call are first tried in order: a later one waits for
   * the earlier. Workspaces are found by steps through the index, whatever the number of their rows.
   */
  const claim = (room: number): Promise<Row[]> => {
    const share = Math.max(1, Math.floor(room / shareOfFree))
    // The rest is for whoever has nothing under way, the next time.
    const limit = Math.max(1, room - share)
    const due = sql`with recursive workspaces(id) as (
        (select workspace_id from ${table} where status = 'pending' order by workspace_id limit 1)
        union all
        select (select n.workspace_id from ${table} n
          where n.status = 'pending' and n.workspace_id > w.id order by n.workspace_id limit 1)
        from workspaces w where w.id is not null),
      -- Worked out once: looked at again, rows that this statement has changed would be missing.
      due as materialized (select f.id from workspaces w cross join lateral (
        select d.id, d.due_at, d.sequence from ${table} d
        where d.workspace_id = w.id and d.status = 'pending' and d.due_at <= now() and not exists (
          select 1 from ${table} e
          where e.call_id = d.call_id and e.sequence < d.sequence and e.status = 'pending' and e.attempts = 0)
        order by d.due_at, d.sequence
        limit greatest(0, ${share} - coalesce((${JSON.stringify(underWay())}::text::jsonb ->> w.id::text)::int, 0))
        for update skip locked) f
      order by row_number() over (partition by w.id order by f.due_at, f.sequence), f.due_at, f.sequence
      limit ${limit})
      select id from due`
    return db
      .update(table)
      .set({
        owner: randomUUID(),
        dueAt: sql`now() + (${table.timeoutSeconds} + ${graceSeconds}) * interval '1 second'`,
      })
      .where(sql`${table.id} in (${due})`)
      .returning()
  }

  /** Undefined when this process stops meanwhile. */
  const attempt = async (row: Row): Promise<Attempt | undefined> => {
    const { payload, timeoutSeconds, backoffPlan } = row
    try {
      const request = openRequest(vault, row.request)
      const { excludedStatusCodes } = backoffPlan
      return await sendWebhook({ ...request, payload, timeoutSeconds, excludedStatusCodes }, options, ended.signal)
    } catch (error) {
      if (ended.signal.aborted) return undefined
      log.error({ err: error, delivery: row.id }, 'webhook not sent')
      return { delivered: false, status: null, error: 'The request could not be prepared.', final: false }
    }
  }

  const held = (row: Row) => and(eq(table.id, row.id), row.owner === null ? undefined : eq(table.owner, row.owner))

  /** Leaves a delivery to whoever looks next; that attempt does not count. */
  const release = async (row: Row) => {
    await db.update(table).set({ owner: null, dueAt: sql`now()` }).where(held(row))
  }

  const settle = async (row: Row, result: Attempt) => {
    const attempts = row.attempts + 1
    const dead = !result.delivered && (result.final || attempts >= row.mostAttempts)
    const status = result.delivered ? 'delivered' : dead ? 'dead' : 'pending'
    await db
      .update(table)
      .set({
        status,
        attempts,
        owner: null,
        lastStatus: result.status,
        lastError: result.delivered ? null : result.error,
        dueAt: status === 'pending' ? after(pauseMs(row.backoffPlan, attempts)) : sql`now()`,
        deliveredAt: result.delivered ? sql`now()` : null,
        updatedAt: sql`now()`,
      })
      .where(held(row))
    if (dead) log.warn({ delivery: row.id, type: row.type, error: result.error }, 'webhook given up')
  }

  const start = (row: Row) => {
    const work: Promise<void> = attempt(row)
      .then((result) => (result ? settle(row, result) : release(row)))
      .catch((error) => log.warn({ err: error, delivery: row.id }, 'webhook not settled'))
      .finally(() => sending.delete(work))
    sending.set(work, row.workspaceId)
    return work
  }

  /** Takes up what is due, as far as there is room; how many there were. */
  const take = async (each: (work: Promise<void>) => void): Promise<number> => {
    const room = most - sending.size
    if (room <= 0) return 0
    const rows = await claim(room)
    for (const row of rows) each(start(row))
    return rows.length
  }

  const look = (): void => {
    lookAgain = claiming !== undefined
    claiming ??= take((work) => void work.then(() => timer && look()))
      .catch((error) => {
        log.warn({ err: error }, 'webhook queue out of reach')
        return 0
      })
      .finally(() => {
        claiming = undefined
        if (lookAgain && timer) look()
      })
  }

  return {
    async start(alone) {
      if (alone) await db.update(table).set({ owner: null, dueAt: sql`now()` }).where(isNotNull(table.owner))
      ended = new AbortController()
      timer = setInterval(look, everyMs)
      look()
    },
    wake() {
      if (timer) look()
    },
    async drain() {
      for (;;) {
        // What ends while it is looked for makes room that this look has not seen.
        const wasBusy = sending.size > 0
        const taken = await take(() => {})
        if (taken === 0 && !wasBusy) return
        if (sending.size > 0) await Promise.race(sending.keys())
      }
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await claiming
      ended.abort()
      await Promise.all(sending.keys())
    },
  }
}

/** How long a delivery is kept after it was last touched. */
const keepDays = 30

/** Drops what was delivered or given up a month ago. */
export async function purgeDeliveries(db: Database): Promise<void> {
  const old = lt(table.updatedAt, sql`now() - ${keepDays} * interval '1 day'`)
  await db.delete(table).where(and(ne(table.status, 'pending'), old))
}
