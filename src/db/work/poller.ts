import { type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import type { Tracing } from '../../runtime/tracing.ts'
import type { Database } from '../client.ts'
import type { WorkCounts } from './claim.ts'

/** One kind of background work. */
export interface WorkKind {
  name: string
  /** When its next row is due, as a scalar; null when none waits. */
  nextDue: SQL<Date | null>
  /** How much there is, for operators; absent where that is not counted. */
  counts?(db: Database): Promise<WorkCounts>
  /** Works on what is due until nothing is. */
  run(): Promise<void>
}

/** How a kind of work is doing. */
export interface WorkState {
  name: string
  /** Whether this process is at work on it. */
  isRunning: boolean
  /** Seconds until the next row is due, negative when it is late; null when none waits. */
  dueInSeconds: number | null
  counts: WorkCounts | null
}

/** Makes each run of a kind of work a trace of its own, where somebody listens. */
export const tracedWork =
  (tracing: Tracing | undefined) =>
  (kind: WorkKind): WorkKind =>
    tracing
      ? { ...kind, run: () => tracing.run(`job ${kind.name}`, { kind: 'internal', root: true }, () => kind.run()) }
      : kind

export interface Poller {
  start(): void
  /** Polls now: something has become due. */
  wake(): void
  /** This or another process is at work: what it leaves, should it die, is found within `maxPauseMs`. */
  noteActivity(): void
  /** How late the work of each kind is that is due longest, in seconds. */
  lateness(): Promise<Record<string, number>>
  /** How each kind is doing, for operators. */
  overview(): Promise<WorkState[]>
  /** The kinds that run in this process right now. */
  running(): string[]
  /** Polls no more; resolves once the work that runs has ended. */
  stop(): Promise<void>
}

interface PollerOptions {
  db: Database
  log: Logger
  kinds: readonly WorkKind[]
  /** The longest time between two polls, in milliseconds. */
  maxPauseMs?: number
  /** The longest time while no process is at work, as long as its activity would be announced here. */
  quietPauseMs?: number
  /** Whether work of other processes is announced here, by `noteActivity`; no unless given. */
  isNotified?(): boolean
  /** Called when work is found here. */
  onWork?(): void
  timer?: Pick<Timers, 'now' | 'after'>
}

/** Longer than what a process holds without renewing it: by then all that it may leave behind was seen. */
const activeMs = 15_000

const firstPauseMs = 1_000
/** Work that stays due although it ran, such as what waits for another row, is not asked for without a pause. */
const minPauseMs = 100

/**
 * Polls for all background work of a process with one statement: it asks when the next row of each kind is due, runs
 * the kinds that are, and sleeps until the next one. With nothing to do the pauses grow to five seconds, so that what
 * another process left is found soon; once no process has been at work for a while, and if that would be announced, to
 * half a minute.
 */
export function createPoller(options: PollerOptions): Poller {
  const { db, log, kinds, maxPauseMs = 5_000, quietPauseMs = 30_000, timer = systemTimers } = options
  const running = new Map<WorkKind, Promise<void>>()
  let forget = () => {}
  let planned = Number.POSITIVE_INFINITY
  let activeAt = Number.NEGATIVE_INFINITY
  let stopped = true
  let looking: Promise<void> | undefined
  let again = false
  let idlePauseMs = firstPauseMs

  const columns = kinds.map(
    ({ nextDue }, index) =>
      sql`(extract(epoch from ${nextDue} - now()) * 1000)::float8 as ${sql.identifier(`kind_${index}`)}`,
  )
  const question = sql`select ${sql.join(columns, sql`, `)}`

  const run = (kind: WorkKind) => {
    let pauseMs = minPauseMs
    const work = kind
      .run()
      .catch((error: unknown) => {
        pauseMs = firstPauseMs
        log.warn({ event: 'work_failed', err: error, work: kind.name }, 'background work failed')
      })
      .finally(() => {
        running.delete(kind)
        schedule(pauseMs)
      })
    running.set(kind, work)
  }

  const schedule = (ms: number) => {
    forget()
    planned = timer.now() + ms
    if (!stopped) forget = timer.after(ms, wake)
  }

  const maxPause = () => {
    const quiet = timer.now() - activeAt > activeMs && options.isNotified?.() === true
    return quiet ? quietPauseMs : maxPauseMs
  }

  const look = async () => {
    const [row] = await db.execute<Record<string, number | null>>(question)
    const maxMs = maxPause()
    let nextMs = maxMs
    let found = false
    for (const [index, kind] of kinds.entries()) {
      const dueMs = row?.[`kind_${index}`] ?? undefined
      if (dueMs === undefined || running.has(kind)) continue
      if (dueMs > 0) nextMs = Math.min(nextMs, dueMs)
      else if (!stopped) {
        found = true
        activeAt = timer.now()
        options.onWork?.()
        run(kind)
      }
    }
    idlePauseMs = found ? firstPauseMs : Math.min(idlePauseMs * 2, maxMs)
    schedule(Math.max(minPauseMs, Math.min(nextMs, idlePauseMs)))
  }

  function wake(): void {
    if (stopped) return
    if (looking) {
      again = true
      return
    }
    looking = look()
      .catch((error: unknown) => {
        log.warn({ event: 'work_not_found', err: error }, 'looking for background work failed')
        schedule(firstPauseMs)
      })
      .finally(() => {
        looking = undefined
        if (!again) return
        again = false
        wake()
      })
  }

  return {
    start() {
      stopped = false
      idlePauseMs = firstPauseMs
      wake()
    },
    wake() {
      idlePauseMs = firstPauseMs
      wake()
    },
    noteActivity() {
      activeAt = timer.now()
      idlePauseMs = Math.min(idlePauseMs, maxPauseMs)
      if (!looking && planned - activeAt > maxPauseMs) schedule(maxPauseMs)
    },
    async lateness() {
      const [row] = await db.execute<Record<string, number | null>>(question)
      const late = kinds.map(({ name }, index) => [name, Math.max(0, -(row?.[`kind_${index}`] ?? 0) / 1000)] as const)
      return Object.fromEntries(late)
    },
    async overview() {
      const [row] = await db.execute<Record<string, number | null>>(question)
      const state = async (kind: WorkKind, index: number): Promise<WorkState> => {
        const dueMs = row?.[`kind_${index}`] ?? null
        return {
          name: kind.name,
          isRunning: running.has(kind),
          dueInSeconds: dueMs === null ? null : Math.round(dueMs / 1000),
          counts: (await kind.counts?.(db)) ?? null,
        }
      }
      return Promise.all(kinds.map(state))
    },
    running: () => [...running.keys()].map(({ name }) => name),
    async stop() {
      stopped = true
      forget()
      await looking
      await Promise.all(running.values())
    },
  }
}
