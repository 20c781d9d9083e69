import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import { inMs } from '../db/schedule.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import { type Claimed, ClaimLostError, workOn } from '../db/work/claim.ts'
import { ifInTime } from '../runtime/deadline.ts'
import type { Timers } from '../runtime/timers.ts'
import type { Vault } from '../secrets/vault.ts'
import { pauseMs } from './backoff.ts'
import { fairChoice, nextDelivery } from './choice.ts'
import { openRequest } from './request.ts'
import { type Attempt, type Sender, sendWebhook } from './send.ts'
import { webhookDeliveries } from './table.ts'

interface QueueOptions extends Sender {
  db: Database
  log: Logger
  vault: Vault
  /** How many are sent at the same time; a workspace gets a quarter of what is free, one at least. */
  maxAtOnce?: number
  /** A number from 0 to 1, by which pauses differ. */
  chance: Timers['chance']
  /** Has what is due looked for now. */
  wake?(): void
}

/**
 * Sends what is queued, each at its time. All its times are the database's clock, so that instances need no common one.
 */
export interface WebhookQueue extends Required<Omit<BackgroundPart, 'start'>> {
  /** Has the queue looked at now. */
  wake(): void
  /** Sends all that is due, and what becomes due meanwhile; resolves when nothing is. */
  drain(): Promise<void>
  /** Breaks off what is being sent: whoever looks next sends it again. */
  stop(): Promise<void>
}

type Row = Claimed<typeof webhookDeliveries>

const table = webhookDeliveries
/** How long a delivery outlives a crash of its sender. */
const leaseMs = 8_000
/** How long a look waits for a place before it leaves looking to the next. */
const placeMs = 250

/** Makes the queue of webhooks on the project's database. */
export function createWebhookQueue(options: QueueOptions): WebhookQueue {
  const { db, log, vault, chance, maxAtOnce = 64, wake = () => {} } = options
  const sending = new Map<Promise<void>, number>()
  const ended = new AbortController()

  /** How many of each workspace are being sent here. */
  const underWay = () => {
    const counts: Record<number, number> = {}
    for (const workspace of sending.values()) counts[workspace] = (counts[workspace] ?? 0) + 1
    return counts
  }

  const open = eq(table.status, 'pending')
  const deliveries = workOn({
    table,
    id: table.id,
    dueAt: table.dueAt,
    owner: table.owner,
    attempts: table.attempts,
    open,
    dead: eq(table.status, 'dead'),
    leaseMs,
    // An attempt counts although its process died: what makes one die is not sent for ever.
    onClaim: { attempts: sql`case when ${table.owner} is null then ${table.attempts} else ${table.attempts} + 1 end` },
    choose: (room) => fairChoice(room, underWay()),
  })

  /** Undefined when this process stops meanwhile. */
  const attempt = async (row: Row): Promise<Attempt | undefined> => {
    if (ended.signal.aborted) return undefined
    const { workspaceId, payload, timeoutSeconds, backoffPlan } = row
    try {
      const request = openRequest(vault, row.request)
      const { excludedStatusCodes } = backoffPlan
      return await sendWebhook(
        { ...request, workspaceId, payload, timeoutSeconds, excludedStatusCodes },
        options,
        ended.signal,
      )
    } catch (error) {
      if (ended.signal.aborted) return undefined
      log.error({ event: 'webhook_unsent', err: error, delivery: row.id }, 'webhook not sent')
      return { delivered: false, status: null, error: 'The request could not be prepared.', final: false }
    }
  }

  const settle = async (row: Row, result: Attempt) => {
    const attempts = row.attempts + 1
    const dead = !result.delivered && (result.final || attempts >= row.maxAttempts)
    const status = result.delivered ? 'delivered' : dead ? 'dead' : 'pending'
    await deliveries.settle(db, row, {
      status,
      attempts,
      lastStatus: result.status,
      lastError: result.delivered ? null : result.error,
      dueAt: status === 'pending' ? inMs(pauseMs(row.backoffPlan, attempts, chance())) : sql`now()`,
      deliveredAt: result.delivered ? sql`now()` : null,
      updatedAt: sql`now()`,
    })
    if (dead)
      log.warn({ event: 'webhook_given_up', delivery: row.id, type: row.type, error: result.error }, 'webhook given up')
  }

  const lostSenders: Attempt = {
    delivered: false,
    status: null,
    error: 'The server ended each time while this was sent.',
    final: true,
  }

  const start = (row: Row) => {
    const work: Promise<void> = deliveries
      .keeping(db, row, async () => (row.attempts > row.maxAttempts ? lostSenders : attempt(row)))
      .then((result) => (result ? settle(row, result) : deliveries.release(db, row)))
      .catch((error) => {
        if (!(error instanceof ClaimLostError))
          log.warn({ event: 'webhook_unsettled', err: error, delivery: row.id }, 'webhook not settled')
      })
      .finally(() => {
        sending.delete(work)
        // The next of its call, or another workspace's, may have waited for it.
        wake()
      })
    sending.set(work, row.workspaceId)
  }

  /** What is being taken up: a stop waits for it, and leaves it again. */
  const taking = new Set<Promise<number>>()

  /** Takes up what is due, as far as there is room; returns how many there were. */
  const take = async (): Promise<number> => {
    const room = ended.signal.aborted ? 0 : maxAtOnce - sending.size
    if (room <= 0) return 0
    const taken = deliveries.claim(db, room).then((rows) => {
      for (const row of rows) start(row)
      return rows.length
    })
    taking.add(taken)
    return taken.finally(() => taking.delete(taken))
  }

  return {
    wake,
    async prepare(alone) {
      if (!alone) return
      await db
        .update(table)
        .set({ attempts: sql`${table.attempts} + 1` })
        .where(and(open, isNotNull(table.owner)))
      await deliveries.releaseAll(db)
    },
    work: {
      name: 'webhooks',
      nextDue: nextDelivery,
      counts: deliveries.counts,
      async run() {
        while ((await take()) > 0);
        if (sending.size > 0) await ifInTime(Promise.race(sending.keys()), placeMs)
      },
    },
    async drain() {
      for (;;) {
        // What ends while it is looked for makes room that this look has not seen.
        const wasBusy = sending.size > 0
        const taken = await take()
        if (taken === 0 && !wasBusy) return
        if (sending.size > 0) await Promise.race(sending.keys())
      }
    },
    async stop() {
      ended.abort()
      await Promise.allSettled(taking)
      await Promise.all(sending.keys())
    },
  }
}
