import { type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../client.ts'

/** One kind of background work. */
export interface WorkKind {
  name: string
  /** When its next row is due, as a scalar; null when none waits. */
  nextDue: SQL<Date | null>
  /** Works on what is due until nothing is. */
  run(): Promise<void>
}

export interface Poller {
  start(): void
  /** Looks now: something has become due. */
  wake(): void
  /** Looks no more; resolves once the work that runs has ended. */
  stop(): Promise<void>
}

interface PollerOptions {
  db: Database
  log: Logger
  kinds: readonly WorkKind[]
  /** The longest time between two looks, in milliseconds. */
  maxPauseMs?: number
}

const firstPauseMs = 1_000
/** Work that stays due although it ran, such as what waits for another row, is not asked for without a pause. */
const minPauseMs = 100

/**
 * Looks for all background work of a process with one statement: it asks when the next row of each kind is due, runs the
 * kinds that are, and sleeps until the next one. With nothing to do the pauses grow to five seconds, so that what another
 * process left is found soon and an idle one asks little.
 */
export function createPoller({ db, log, kinds, maxPauseMs = 5_000 }: PollerOptions): Poller {
  const running = new Map<WorkKind, Promise<void>>()
  let timer: ReturnType<typeof setTimeout> | undefined
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
        log.warn({ err: error, work: kind.name }, 'background work failed')
      })
      .finally(() => {
        running.delete(kind)
        schedule(pauseMs)
      })
    running.set(kind, work)
  }

  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(wake, ms)
  }

  const look = async () => {
    const [row] = await db.execute<Record<string, number | null>>(question)
    let nextMs = maxPauseMs
    let found = false
    for (const [index, kind] of kinds.entries()) {
      const dueMs = row?.[`kind_${index}`] ?? undefined
      if (dueMs === undefined || running.has(kind)) continue
      if (dueMs > 0) nextMs = Math.min(nextMs, dueMs)
      else if (!stopped) {
        found = true
        run(kind)
      }
    }
    idlePauseMs = found ? firstPauseMs : Math.min(idlePauseMs * 2, maxPauseMs)
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
        log.warn({ err: error }, 'looking for background work failed')
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
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await Promise.all(running.values())
    },
  }
}
