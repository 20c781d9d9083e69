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
  /** How many are sent at the same time. */
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
/** Beyond its timeout, how long a delivery outlives a crash of its sender. */
const graceSeconds = 15

const after = (ms: number): SQL => sql`now() + ${ms} * interval '1 millisecond'`

/** Makes the queue of webhooks on the project's database. */
export function createWebhookQueue(options: QueueOptions): WebhookQueue {
  const { db, log, vault, most = 20, everyMs = 1000 } = options
  const sending = new Set<Promise<void>>()
  let ended = new AbortController()
  let timer: ReturnType<typeof setInterval> | undefined
  let claiming: Promise<number> | undefined

  /** Takes rows that are due. Those of one call are first tried in order: a later one waits for the earlier. */
  const claim = (limit: number): Promise<Row[]> => {
    const due = sql`select d.id from ${table} d
      where d.status = 'pending' and d.due_at <= now() and not exists (
        select 1 from ${table} e
        where e.call_id = d.call_id and e.sequence < d.sequence and e.status = 'pending' and e.attempts = 0)
      order by d.due_at, d.sequence limit ${limit} for update skip locked`
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
    sending.add(work)
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
    claiming ??= take((work) => void work.then(() => timer && look()))
      .catch((error) => {
        log.warn({ err: error }, 'webhook queue out of reach')
        return 0
      })
      .finally(() => {
        claiming = undefined
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
      while ((await take(() => {})) > 0 || sending.size > 0) {
        if (sending.size > 0) await Promise.race(sending)
      }
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await claiming
      ended.abort()
      await Promise.all(sending)
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
