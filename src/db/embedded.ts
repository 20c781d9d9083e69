import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { closeToOthers } from '../storage/private-folder.ts'
import { Engine, type EngineEvent } from './embedded-engine.ts'
import { DatabaseFolderError, layOutEmptyDatabase } from './empty-database.ts'
import { compileEngine } from './engine-code.ts'
import { lockFolder } from './lock.ts'

/** PostgreSQL inside this process. */
export type EmbeddedDatabase = {
  /** Opens the wire to it. It is one backend: a second wire would share its unnamed statement and its transaction. */
  connect(): Duplex
  /**
   * Copies its files while nothing runs in it: a copy opens like the folder of a process that was killed just then.
   * Not for one that lives in memory.
   */
  copyTo(folder: string): Promise<void>
  /** Milliseconds since its last response. */
  quietFor(): number
  /** Hears when it breaks and is started again. */
  listen(listener: (happened: EngineEvent) => void): void
  close(): Promise<void>
}

/**
 * Its cache of pages. PostgreSQL's own 128 MB are cleared at every start and held for good; what does not fit stays in
 * the cache of the operating system.
 */
const BUFFERS = ['-c', 'shared_buffers=12MB']

/** It has one connection, and room for what a hundred of them lock and read would take 4 MB. */
const CONNECTIONS = ['-c', 'max_connections=8', '-c', 'io_max_concurrency=1']

/**
 * No statistics are gathered in it, and its pages are in memory: between two plans, the one that reads an index in
 * order is right.
 */
const PLANS = ['-c', 'random_page_cost=1']

/** PGlite looks up the arrays of all types for its own queries; here everything goes over the wire. */
class Backend extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

/**
 * Starts the embedded PostgreSQL, on files under `dataDir/database` (locked for this process), or in memory without
 * `dataDir`. `template` is a dump of PGlite's `dumpDataDir`, unpacked when the database is new. One on files that
 * breaks, or does not return for `statementMs`, is started again.
 * @throws DataFolderInUseError when another process has `dataDir` open.
 * @throws DatabaseFolderError when what is there does not open.
 */
export async function openEmbedded(options: {
  dataDir?: string
  template?: Blob
  statementMs?: number
}): Promise<EmbeddedDatabase> {
  const lock = options.dataDir === undefined ? undefined : lockFolder(options.dataDir)
  try {
    const folder = options.dataDir === undefined ? undefined : join(options.dataDir, 'database')
    const open = async (template?: Blob) => {
      const backend = new Backend({
        pgliteWasmModule: await compileEngine(),
        dataDir: folder,
        loadDataDir: template,
        extensions: { pg_trgm },
        startParams: [...PGlite.defaultStartParams, ...BUFFERS, ...CONNECTIONS, ...PLANS],
      })
      await backend.waitReady.catch((cause: unknown) => {
        throw folder === undefined ? cause : unopened(folder)
      })
      return backend
    }
    let template = options.template
    if (folder !== undefined && template === undefined) await layOutEmptyDatabase(folder)
    const engine = await Engine.start({
      open: () => open(template),
      restarts: folder !== undefined,
      statementMs: options.statementMs ?? 0,
    })
    template = undefined
    if (folder !== undefined) closeToOthers(folder)
    return {
      connect: () => new Wire(engine),
      quietFor: engine.quietFor,
      listen: (listener) => engine.listen(listener),
      async copyTo(target) {
        if (folder === undefined) throw new Error('A database in memory has no files')
        const pglite = await engine.current()
        await pglite.runExclusive(() => cp(folder, target, { recursive: true }))
      },
      async close() {
        await engine.close()
        lock?.release()
      },
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}

/** The engine's own words say no more than that it has ended. */
const unopened = (folder: string) =>
  new DatabaseFolderError(
    `The database in ${folder} does not open: files of it are missing or damaged, belong to another user, or its disk is full. Make room, and give the files to the user of this process; where that is not it, move the folder away, and restore a backup or put the copy "before-upgrade" beside it, which is older, in its place.`,
  )

const TERMINATE = 'X'.charCodeAt(0)

/**
 * The socket that postgres.js writes to and reads from, with PGlite at the other end. Everything that has arrived is
 * executed at once: complete messages only, as PGlite keeps no half of one.
 */
class Wire extends Duplex {
  /** postgres.js ends a socket only while it says `open`. */
  readyState: 'open' | 'closed' = 'open'
  /** The engine's life that it is on, from its first message on. */
  private pglite: PGlite | undefined
  private received: Buffer = Buffer.alloc(0)

  constructor(private readonly engine: Engine) {
    super()
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    this.executeReceived().then(() => done(), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.readyState = 'closed'
    const ends = () => done(error)
    const { pglite } = this
    // What is broken has no transaction any more.
    if (pglite && this.engine.serves(pglite) && pglite.isInTransaction()) pglite.exec('ROLLBACK').then(ends, ends)
    else ends()
  }

  private async executeReceived(): Promise<void> {
    if (!this.pglite) {
      if (this.received.length < 4) return
      const length = this.received.readInt32BE(0)
      if (this.received.length < length) return
      this.pglite = await this.engine.current()
      await this.execute(this.pglite, this.consume(length))
    }
    await this.execute(this.pglite, this.consume(this.completeMessages()))
  }

  /** Bytes of the whole messages at the front: a type byte, then a length that counts itself. */
  private completeMessages(): number {
    let end = 0
    while (this.received.length >= end + 5 && this.received[end] !== TERMINATE) {
      const next = end + 1 + this.received.readInt32BE(end + 1)
      if (next > this.received.length) break
      end = next
    }
    return end
  }

  private consume(length: number): Uint8Array {
    const taken = this.received.subarray(0, length)
    this.received = this.received.subarray(length)
    return taken
  }

  private async execute(pglite: PGlite, messages: Uint8Array): Promise<void> {
    if (messages.length === 0) return
    await this.engine.execute(pglite, messages, (response) => void this.push(Buffer.from(response)))
  }
}
