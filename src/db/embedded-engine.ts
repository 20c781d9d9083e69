import type { PGlite } from '@electric-sql/pglite'
import { unlessLate } from '../runtime/deadline.ts'

/** The embedded PostgreSQL ended itself or does not return. Requests take it for a database that is out of reach. */
export class EmbeddedBrokenError extends Error {
  override readonly name = 'EmbeddedBrokenError'
  readonly code = 'CONNECTION_BROKEN'
}

/** Events of an engine that are logged for operators. */
export type EngineEvent =
  | { event: 'embedded_database_broken'; error: Error }
  | { event: 'embedded_database_restarted'; error?: undefined }

/** What is called of the engine's module to execute messages. */
const entries = [
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
  '_pq_buffer_remaining_data',
  'stackRestore',
]

const pauseMs = 1_000

/** How engines are made and for how long they are waited for. */
interface EngineOptions {
  /** Opens one on the same files, which recovers what was committed. */
  open(): Promise<PGlite>
  /** False: another one would have other data, so that a broken one stays so. */
  restarts: boolean
  /** How long messages may take without the thread being held; 0: without a limit. */
  statementMs: number
}

/**
 * The one running PostgreSQL of a database, started anew when it breaks. It aborts when it cannot write its log (a full
 * disk); asked again after that it would never return, and hold the thread for good (record 0026).
 */
export class Engine {
  private broken: Error | undefined
  private starting: Promise<PGlite> | undefined
  private triedAt = 0
  private askedAt = performance.now()
  private readonly listeners = new Set<(happened: EngineEvent) => void>()

  private constructor(
    private pglite: PGlite,
    private readonly options: EngineOptions,
  ) {
    this.guard(pglite)
  }

  /** Throws what `open` throws. */
  static start = async (options: EngineOptions): Promise<Engine> => new Engine(await options.open(), options)

  listen(listener: (happened: EngineEvent) => void): void {
    this.listeners.add(listener)
  }

  /** Whether this is the one that runs. */
  serves = (pglite: PGlite): boolean => pglite === this.pglite && this.broken === undefined

  /**
   * The one that runs; a broken one is replaced, at most once a second. Throws EmbeddedBrokenError while that cannot be
   * done.
   */
  async current(): Promise<PGlite> {
    if (this.broken === undefined) return this.pglite
    const { broken } = this
    if (!this.options.restarts || performance.now() - this.triedAt < pauseMs) throw broken
    this.starting ??= this.restart().finally(() => {
      this.triedAt = performance.now()
      this.starting = undefined
    })
    return this.starting
  }

  /** Milliseconds since its last response. */
  quietFor = (): number => performance.now() - this.askedAt

  /** Executes whole messages of the protocol. Throws EmbeddedBrokenError when it breaks or does not return in time. */
  async execute(pglite: PGlite, messages: Uint8Array, onRawData: (response: Uint8Array) => void): Promise<void> {
    await pglite.runExclusive(() => this.inTime(pglite, () => pglite.execProtocolRawStream(messages, { onRawData })))
    this.askedAt = performance.now()
  }

  /** Closes the one that runs; of a broken one there is nothing to close. */
  async close(): Promise<void> {
    await this.starting?.catch(() => undefined)
    if (this.broken === undefined) await this.pglite.close()
  }

  private async restart(): Promise<PGlite> {
    try {
      this.pglite = await this.options.open()
    } catch (cause) {
      throw new EmbeddedBrokenError('The embedded database cannot be started again', { cause })
    }
    this.guard(this.pglite)
    this.broken = undefined
    this.notify({ event: 'embedded_database_restarted' })
    return this.pglite
  }

  private guard(pglite: PGlite): void {
    Object.assign(pglite.Module, {
      onAbort: () => this.break(pglite, 'The embedded database has ended itself, as it does when its disk is full'),
    })
  }

  /** Lets nothing enter it any more: what waits for it, and what it is doing, ends with the same error. */
  private break(pglite: PGlite, message: string): Error {
    const error = new EmbeddedBrokenError(message)
    const refuse = () => {
      throw error
    }
    Object.assign(pglite.Module, Object.fromEntries(entries.map((name) => [name, refuse])))
    if (this.serves(pglite)) {
      this.broken = error
      this.notify({ event: 'embedded_database_broken', error })
    }
    return error
  }

  private notify(happened: EngineEvent): void {
    for (const listener of this.listeners) listener(happened)
  }

  /** A statement that holds the thread delays the timer as well: what is late then has returned before it fires. */
  private async inTime(pglite: PGlite, run: () => Promise<void>): Promise<void> {
    const { statementMs } = this.options
    if (statementMs === 0) return run()
    return unlessLate(run(), statementMs, () => this.break(pglite, 'The embedded database did not return in time'))
  }
}
