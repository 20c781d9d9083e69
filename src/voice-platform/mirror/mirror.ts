import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/client.ts'
import { PlatformError } from '../errors.ts'
import { type Entry, EntryLostError } from './journal/entry.ts'
import { createJournal } from './journal/journal.ts'
import { createRecovery, deleteLive } from './recovery.ts'
import { type LiveObject, lookBackFrom, type RemoteKind } from './remote-kind.ts'

export { ResourceBusyError } from './journal/entry.ts'

interface MirrorOptions {
  db: Database
  log: Logger
  /** Every kind of mirrored resource. */
  remoteKinds: readonly RemoteKind[]
  /** How long a write outlives a crash of its process before another takes it over. Default 15 s. */
  leaseMs?: number
  /** How long a writer waits for its turn. Default 30 s. */
  waitMs?: number
  /** How long after a write that got no answer it may still arrive. Default 60 s. */
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

const firstPauseMs = 1_000

const isUnknown = (error: unknown) => error instanceof PlatformError && error.kind === 'unknown'
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Writes to the live platform first and records locally what succeeded. Every write has a row in the journal until
 * both sides agree; whatever a crash, a lost answer or a failing database leaves behind is brought together by recovery.
 */
export function createMirror(options: MirrorOptions) {
  const { db, log, remoteKinds, leaseMs = 15_000, waitMs = 30_000, graceMs = 60_000, everyMs = 5_000 } = options
  const journal = createJournal({ db, leaseMs, waitMs })
  const pauseMs = Math.min(everyMs, firstPauseMs)
  const recover = createRecovery({ db, journal, log, remoteKinds, graceMs, pauseMs })
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()

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

  /** Records the outcome and ends the row in one transaction. */
  const record = <T>(entry: Entry, commit: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const result = await commit(tx)
      // The write that an update superseded may still arrive: what the record says is looked at once more.
      if (entry.inherited && entry.action === 'update') await journal.watch(tx, entry, graceMs)
      else await journal.close(tx, entry)
      return result
    })

  /** After a failure that may have left the sides apart: leaves the row to recovery, which starts at once. */
  const handOver = async (entry: Entry, error: unknown, action = entry.action) => {
    // Out of reach, the row runs out by itself.
    await journal.release(entry, 0, reasonOf(error), action).catch(() => {})
    setTimeout(() => void sweep(), 0)
  }

  /** After a failure that changed nothing: ends the row, unless an earlier write left it. */
  const abandon = (entry: Entry, error: unknown): Promise<void> =>
    entry.inherited ? handOver(entry, error, 'update') : journal.close(db, entry).catch(() => {})

  /** A live write whose outcome decides: certain failures end the row, unknown ones are looked up by `verify`. */
  const attempt = async (
    entry: Entry,
    write: () => Promise<LiveObject>,
    verify: () => Promise<LiveObject | undefined>,
  ): Promise<LiveObject> => {
    try {
      entry.assertHeld()
      return await write()
    } catch (error) {
      if (!isUnknown(error)) {
        await abandon(entry, error)
        throw error
      }
      const done = await verify().catch(() => undefined)
      if (done) return done
      await handOver(entry, error)
      throw error
    }
  }

  return {
    /** How long what a process holds outlives its crash. */
    leaseMs,

    /**
     * Creates the live twin, then the local record. When the record cannot be saved, the twin is deleted again.
     * @throws PlatformError when the live write failed; ResourceBusyError; what `commit` throws.
     */
    create<Body extends object, T>(
      twin: RemoteKind<Body>,
      ref: string,
      body: Body,
      commit: (tx: Transaction, live: LiveObject) => Promise<T>,
    ): Promise<T> {
      return journal.turn({ kind: twin.kind, ref, action: 'create' }, recover, async (entry) => {
        const { signal } = entry
        const find = async () => (await twin.live.find(ref, lookBackFrom(entry.createdAt), { signal })) ?? undefined
        const live = await attempt(entry, () => twin.live.create(body, { signal }), find)
        let recorded: { result: T } | undefined
        try {
          return await record(entry, async (tx) => {
            const result = await commit(tx, live)
            recorded = { result }
            return result
          })
        } catch (error) {
          try {
            const open = await journal.renew(entry)
            // A commit that got no answer may be done, and the row has ended with it: the record decides.
            if (!open && recorded && (await twin.local.read(db, ref))?.liveId === live.id) return recorded.result
            await deleteLive(twin, live.id, entry)
            if (open) await journal.close(db, entry)
          } catch {
            await handOver(entry, error)
          }
          throw error
        }
      })
    },

    /**
     * Updates the live twin, then the local record. `plan` runs when it is this writer's turn, so what it reads is
     * current. When the record cannot be saved, the twin is told again what the record says.
     * @throws PlatformError, ResourceBusyError; what `plan` and `commit` throw.
     */
    update<Body extends object, T>(
      twin: RemoteKind<Body>,
      ref: string,
      plan: () => Promise<LiveUpdate<Body, T>>,
    ): Promise<T> {
      return journal.turn({ kind: twin.kind, ref, action: 'update' }, recover, async (entry) => {
        const { signal } = entry
        const { liveId, body, commit } = await plan().catch(async (error) => {
          await abandon(entry, error)
          throw error
        })
        const verify = async () => {
          const live = await twin.live.get(liveId, { signal })
          return twin.live.differs(body, live).length === 0 ? live : undefined
        }
        const live = await attempt(entry, () => twin.live.update(liveId, body, { signal }), verify)
        try {
          return await record(entry, (tx) => commit(tx, live))
        } catch (error) {
          await (error instanceof EntryLostError ? handOver(entry, error) : recover(entry))
          throw error
        }
      })
    },

    /**
     * Deletes the live twin, then the local record. A twin that is gone already counts as deleted.
     * @throws PlatformError when the live delete failed: the record stays when it certainly did nothing, otherwise
     * recovery completes it; ResourceBusyError; what `commit` throws.
     */
    remove<T>(twin: RemoteKind, ref: string, liveId: string, commit: (tx: Transaction) => Promise<T>): Promise<T> {
      return journal.turn({ kind: twin.kind, ref, action: 'delete' }, recover, async (entry) => {
        const { signal } = entry
        const gone: LiveObject = { id: liveId }
        const verify = async () => {
          try {
            await twin.live.get(liveId, { signal })
            return undefined
          } catch (error) {
            if (error instanceof PlatformError && error.kind === 'not_found') return gone
            throw error
          }
        }
        await attempt(entry, () => deleteLive(twin, liveId, entry).then(() => gone), verify)
        try {
          return await record(entry, commit)
        } catch (error) {
          await handOver(entry, error)
          throw error
        }
      })
    },

    /**
     * Saves a local change as the only writer of a mirrored resource; the live twin is not told of it.
     * @throws ResourceBusyError; what recovery of an unfinished create or delete met; what `commit` throws.
     */
    exclusively<T>(
      { kind }: Pick<RemoteKind, 'kind'>,
      ref: string,
      commit: (tx: Transaction) => Promise<T>,
    ): Promise<T> {
      return journal.turn({ kind, ref, action: 'update' }, recover, (entry) =>
        record(entry, commit).catch(async (error) => {
          await abandon(entry, error)
          throw error
        }),
      )
    },

    /** Brings together what is due now. */
    sweep,

    /**
     * Starts recovery: at once, then periodically. `alone`: no other process can be at work on this database, so what
     * the last one left need not run out first; call it before anything is written.
     */
    async start(alone: boolean): Promise<void> {
      if (alone) await journal.releaseAll()
      const tick = async () => {
        await sweep()
        if (!stopped) timer = setTimeout(tick, everyMs)
      }
      void tick()
    },

    /** Ends recovery and whatever still waits for the platform; the rows stay for the next start. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      journal.abandon(new PlatformError('unavailable', 'The server is stopping.'))
      await running
    },
  }
}

export type Mirror = ReturnType<typeof createMirror>
