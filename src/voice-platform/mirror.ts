import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database, Transaction } from '../db/client.ts'
import { PlatformError } from './errors.ts'
import { createJournal, type Entry } from './journal/journal.ts'
import { createRecovery } from './recovery.ts'
import { type LiveObject, lookBackFrom, type Twin } from './twin.ts'

export { ResourceBusyError } from './journal/journal.ts'

interface MirrorOptions {
  db: Database
  clock: Clock
  log: Logger
  /** Every kind of mirrored resource. */
  twins: readonly Twin[]
  /** How long a write outlives a crash of its process before another takes it over. Default 15 s. */
  leaseMs?: number
  /** How long a writer waits for its turn. Default 30 s. */
  waitMs?: number
  /** How long after a create a late twin is still looked for. Default 60 s. */
  graceMs?: number
  /** How often due rows are looked for. Default 5 s. */
  everyMs?: number
}

/** What an update writes: the twin, its whole new body, and the local change that records it. */
export interface LiveUpdate<Body extends object, T> {
  liveId: string
  body: Body
  commit(tx: Transaction, live: LiveObject): Promise<T>
}

const isUnknown = (error: unknown) => error instanceof PlatformError && error.kind === 'unknown'
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Writes to the live platform first and records locally what succeeded. Every write has a row in the journal until
 * both sides agree; whatever a crash, a lost answer or a failing database leaves behind is brought together by recovery.
 */
export function createMirror(options: MirrorOptions) {
  const { db, clock, log, twins, leaseMs = 15_000, waitMs = 30_000, graceMs = 60_000, everyMs = 5_000 } = options
  const journal = createJournal({ db, leaseMs, waitMs })
  const { recover, deleteLive } = createRecovery({ db, journal, clock, log, twins, graceMs })
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()

  /** Records the outcome and ends the row in one transaction. */
  const record = <T>(entry: Entry, commit: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const result = await commit(tx)
      await journal.close(tx, entry)
      return result
    })

  /** After a failure that may have left the sides apart: leaves the row to recovery, which starts at once. */
  const handOver = async (entry: Entry, error: unknown) => {
    await journal.release(entry, 0, reasonOf(error)).catch(() => {})
    setTimeout(() => void sweep(), 0)
  }

  const sweep = (): Promise<unknown> => {
    running = running.then(async () => {
      try {
        while (!stopped && (await journal.recoverDue(recover, 50)) === 50);
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'looking for unfinished live writes failed')
      }
    })
    return running
  }

  /** A live write whose outcome decides: certain failures end the row, unknown ones are looked up by `verify`. */
  const attempt = async (
    entry: Entry,
    write: () => Promise<LiveObject>,
    verify: () => Promise<LiveObject | undefined>,
  ): Promise<LiveObject> => {
    try {
      return await write()
    } catch (error) {
      if (!isUnknown(error)) {
        await journal.close(db, entry).catch(() => {})
        throw error
      }
      const done = await verify().catch(() => undefined)
      if (done) return done
      await handOver(entry, error)
      throw error
    }
  }

  return {
    /**
     * Creates the live twin, then the local record. When the record cannot be saved, the twin is deleted again.
     * @throws PlatformError when the live write failed; what `commit` throws.
     */
    create<Body extends object, T>(
      twin: Twin<Body>,
      ref: string,
      body: Body,
      commit: (tx: Transaction, live: LiveObject) => Promise<T>,
    ): Promise<T> {
      return journal.turn({ kind: twin.kind, ref, action: 'create' }, recover, async (entry) => {
        const find = async () => (await twin.live.find(ref, lookBackFrom(entry.createdAt))) ?? undefined
        const live = await attempt(entry, () => twin.live.create(body), find)
        try {
          return await record(entry, (tx) => commit(tx, live))
        } catch (error) {
          try {
            await deleteLive(twin as unknown as Twin, live.id)
            await journal.close(db, entry)
          } catch {
            await handOver(entry, error)
          }
          throw error
        }
      })
    },

    /**
     * Updates the live twin, then the local record. `plan` runs when it is this writer's turn, so what it reads is
     * current; returning undefined ends the turn without a write. When the record cannot be saved, the twin is told
     * again what the record says.
     * @throws PlatformError, ResourceBusyError; what `plan` and `commit` throw.
     */
    update<Body extends object, T>(
      twin: Twin<Body>,
      ref: string,
      plan: () => Promise<LiveUpdate<Body, T>>,
    ): Promise<T> {
      return journal.turn({ kind: twin.kind, ref, action: 'update' }, recover, async (entry) => {
        const { liveId, body, commit } = await plan().catch(async (error) => {
          await journal.close(db, entry).catch(() => {})
          throw error
        })
        const verify = async () => {
          const live = await twin.live.get(liveId)
          return twin.live.differs(body, live).length === 0 ? live : undefined
        }
        const live = await attempt(entry, () => twin.live.update(liveId, body), verify)
        try {
          return await record(entry, (tx) => commit(tx, live))
        } catch (error) {
          await handOver(entry, error)
          await sweep()
          throw error
        }
      })
    },

    /**
     * Deletes the live twin, then the local record. A twin that is gone already counts as deleted.
     * @throws PlatformError when the live delete failed; then the record stays, unless recovery finds the twin gone.
     */
    remove<T>(twin: Twin, ref: string, liveId: string, commit: (tx: Transaction) => Promise<T>): Promise<T> {
      return journal.turn({ kind: twin.kind, ref, action: 'delete' }, recover, async (entry) => {
        const gone: LiveObject = { id: liveId }
        const isNotFound = (error: unknown) => {
          if (error instanceof PlatformError && error.kind === 'not_found') return gone
          throw error
        }
        const live = () => twin.live.delete(liveId).catch(isNotFound)
        const verify = () => twin.live.get(liveId).then(() => undefined, isNotFound)
        await attempt(entry, live, verify)
        try {
          return await record(entry, commit)
        } catch (error) {
          await handOver(entry, error)
          throw error
        }
      })
    },

    /** Brings together what is due now. */
    sweep,

    /** Starts recovery: at once, then periodically. `alone`: no other process can be at work on this database. */
    async start(alone: boolean): Promise<void> {
      if (alone) await journal.releaseAll()
      const tick = async () => {
        await sweep()
        if (!stopped) timer = setTimeout(tick, everyMs)
      }
      void tick()
    },

    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

export type Mirror = ReturnType<typeof createMirror>
