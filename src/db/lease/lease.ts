import { randomUUID } from 'node:crypto'
import { createDeadline } from '../../runtime/deadline.ts'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import { atOnce } from '../at-once.ts'
import type { Database, Executor } from '../client.ts'
import { leases } from '../tables.ts'
import type { Results } from '../together.ts'
import { enterQueue } from './queue.ts'
import { type LeaseStore, leaseStore } from './store.ts'

/** The lease was not free within the time that the caller would wait. */
export class LeaseTimeoutError extends Error {
  override readonly name = 'LeaseTimeoutError'

  constructor(readonly key: string) {
    super(`The lease ${key} was not free in time`)
  }
}

/** The lease ran out and may be another's: the work must not be saved. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'

  constructor(readonly key: string) {
    super(`The lease ${key} was lost`)
  }
}

/** The exclusive right to work on `key`, renewed while the work runs. */
export type Lease = {
  key: string
  /** Aborted, with a LeaseLostError, once the lease is known to be lost. */
  signal: AbortSignal
  /** Whether it is still ours. */
  held(): Promise<boolean>
  /**
   * Keeps the lease ours until `tx` ends. Call it first in the transaction that saves the work.
   * @throws LeaseLostError when it is another's by now.
   */
  assertHeld(tx: Executor): Promise<void>
  /**
   * Ends it with the statements that save the work, in one transaction as `atOnce` runs it, and gives what they give.
   * Where that fails, also because it is another's by now (see `isNoneFound`), nothing is saved and the lease is not
   * ended.
   */
  endWith<const Statements extends readonly Promise<unknown>[]>(
    ask: (executor: Executor) => Statements,
  ): Promise<Results<Statements>>
}

export type LeaseOptions = {
  /** How long the lease outlives a crash of its holder. */
  ttlMs: number
  /** How long to wait for another holder. */
  waitMs: number
  /** Ends the waiting; the work is not touched. */
  signal?: AbortSignal
  /** Where the leases are kept, by default in `leases`. */
  store?: LeaseStore
  /** What it waits and renews by. */
  timers?: Timers
}

export type LeaseOutcome<T> = { acquired: true; value: T } | { acquired: false }

const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 250

const defaultStore = leaseStore(leases)

/**
 * Runs `work` while nobody else, in any process, holds `key`. Callers of this process get their turn in order;
 * other processes are asked again and again. No transaction and no connection is held meanwhile.
 * @throws LeaseTimeoutError after `waitMs`; the reason of `signal`; what `work` throws.
 */
export async function withLease<T>(
  db: Database,
  key: string,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const { ttlMs, store = defaultStore, timers = systemTimers } = options
  const owner = randomUUID()
  const reason = () => new LeaseTimeoutError(key)
  const { signal: abandon, end } = createDeadline(options.waitMs, { reason, caller: options.signal, timers })
  try {
    const leave = await enterQueue(db, key, abandon)
    try {
      for (let pauseMs = FIRST_PAUSE_MS; !(await store.acquire(db, key, owner, ttlMs)); pauseMs *= 2) {
        await timers.sleep(Math.min(pauseMs, MAX_PAUSE_MS) * (0.5 + timers.chance()), abandon)
        abandon.throwIfAborted()
      }
      end()
      return await hold(db, { key, owner, ttlMs, store, timers }, work)
    } finally {
      leave()
    }
  } finally {
    end()
  }
}

/** Runs `work` if nobody holds `key` right now; does not wait. */
export async function tryLease<T>(
  db: Database,
  key: string,
  options: Pick<LeaseOptions, 'ttlMs' | 'store' | 'timers'>,
  work: (lease: Lease) => Promise<T>,
): Promise<LeaseOutcome<T>> {
  const { ttlMs, store = defaultStore, timers = systemTimers } = options
  const owner = randomUUID()
  if (!(await store.acquire(db, key, owner, ttlMs))) return { acquired: false }
  return { acquired: true, value: await hold(db, { key, owner, ttlMs, store, timers }, work) }
}

/** Frees every lease: for the start on an embedded database, when no other process can hold one. */
export async function clearLeases(db: Database): Promise<void> {
  await db.delete(leases)
}

async function hold<T>(
  db: Database,
  {
    key,
    owner,
    ttlMs,
    store,
    timers,
  }: { key: string; owner: string } & Required<Pick<LeaseOptions, 'ttlMs' | 'store' | 'timers'>>,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  let ending = false
  let ended = false
  const endRenewal = timers.every(ttlMs / 3, () => {
    store.renew(db, key, owner, ttlMs).then(
      (renewed) => {
        if (!renewed && !ending && !ended) lost.abort(new LeaseLostError(key))
      },
      // The database is out of reach: the next tick tries again, and `assertHeld` decides in the end.
      () => {},
    )
  })
  const lease: Lease = {
    key,
    signal: lost.signal,
    held: () => store.owns(db, key, owner),
    async assertHeld(tx) {
      if (!(await store.keep(tx, key, owner))) throw new LeaseLostError(key)
    },
    async endWith<const Statements extends readonly Promise<unknown>[]>(ask: (executor: Executor) => Statements) {
      ending = true
      try {
        const [, ...results] = await atOnce(db, (executor) => [store.endOrFail(executor, key, owner), ...ask(executor)])
        ended = true
        return results as Results<Statements>
      } finally {
        ending = false
      }
    },
  }
  try {
    return await work(lease)
  } finally {
    endRenewal()
    // A lease that cannot be given back runs out by itself; the outcome of the work counts. What was sent to end it,
    // and has not arrived by now, saves nothing from then on.
    if (!ended) await store.release(db, key, owner).catch(() => {})
  }
}
