import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database, Executor } from '../../db/client.ts'
import { tryLease } from '../../db/lease/lease.ts'
import type { Embedder } from '../../knowledge/embedder.ts'
import { knowledgeChunks, knowledgeFiles, knowledgeVersions } from './table.ts'

const batchSize = 16
const leaseMs = 60_000
const everyMs = 5_000
const firstPauseS = 2
const longestPauseS = 300

/** Says to every instance that an agent's passages have changed. */
export async function moveVersion(executor: Executor, agentId: number): Promise<void> {
  await executor
    .insert(knowledgeVersions)
    .values({ agentId, version: 1 })
    .onConflictDoUpdate({ target: knowledgeVersions.agentId, set: { version: sql`${knowledgeVersions.version} + 1` } })
}

interface IndexerOptions {
  db: Database
  embedder: Embedder
  log: Logger
}

/**
 * Gives the passages of files their vectors, in the background. What is to be done stands in the files' own rows, so
 * it survives a restart, and one instance at a time works on a file.
 */
export function createIndexer({ db, embedder, log }: IndexerOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  /** One batch; answers whether there was any. */
  const embedBatch = async (fileId: number, agentId: number): Promise<boolean> => {
    const chunks = await db
      .select({ id: knowledgeChunks.id, text: knowledgeChunks.text })
      .from(knowledgeChunks)
      .where(
        and(
          eq(knowledgeChunks.fileId, fileId),
          or(
            isNull(knowledgeChunks.vector),
            isNull(knowledgeChunks.embedderId),
            ne(knowledgeChunks.embedderId, embedder.id),
          ),
        ),
      )
      .orderBy(knowledgeChunks.position)
      .limit(batchSize)
    if (chunks.length === 0) return false
    const vectors = await embedder.embed(
      chunks.map(({ text }) => text),
      stopping.signal,
    )
    await db.transaction(async (tx) => {
      for (const [index, { id }] of chunks.entries()) {
        const vector = vectors[index]
        if (!vector) throw new Error('The embedder left a text out')
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
        await tx
          .update(knowledgeChunks)
          .set({ vector: bytes, embedderId: embedder.id })
          .where(eq(knowledgeChunks.id, id))
      }
      await moveVersion(tx, agentId)
    })
    return true
  }

  const embedFile = async (fileId: number, agentId: number): Promise<void> => {
    try {
      while (!stopping.signal.aborted && (await embedBatch(fileId, agentId)));
      if (stopping.signal.aborted) return
      await db
        .update(knowledgeFiles)
        .set({ indexState: 'done', embedderId: embedder.id })
        .where(eq(knowledgeFiles.id, fileId))
    } catch (error) {
      if (stopping.signal.aborted) return
      log.warn({ err: error, fileId }, 'indexing a file will be tried again')
      const pause = sql`least(${longestPauseS}, ${firstPauseS} * power(2, least(${knowledgeFiles.attempts}, 10)))`
      await db
        .update(knowledgeFiles)
        .set({ attempts: sql`${knowledgeFiles.attempts} + 1`, dueAt: sql`now() + ${pause} * interval '1 second'` })
        .where(eq(knowledgeFiles.id, fileId))
    }
  }

  /** Indexes one file unless another instance does; resolves when it is done or has to wait. */
  const index = async (fileId: number, agentId: number): Promise<void> => {
    await tryLease(db, `knowledge:${fileId}`, { ttlMs: leaseMs }, () => embedFile(fileId, agentId))
  }

  const sweep = async (): Promise<void> => {
    try {
      for (;;) {
        const [due] = await db
          .select({ id: knowledgeFiles.id, agentId: knowledgeFiles.agentId })
          .from(knowledgeFiles)
          .where(and(eq(knowledgeFiles.indexState, 'pending'), lte(knowledgeFiles.dueAt, sql`now()`)))
          .orderBy(knowledgeFiles.dueAt)
          .limit(1)
        if (!due || stopping.signal.aborted) return
        const { acquired } = await tryLease(db, `knowledge:${due.id}`, { ttlMs: leaseMs }, () =>
          embedFile(due.id, due.agentId),
        )
        if (!acquired) return
      }
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'looking for files to index failed')
    }
  }

  return {
    index,

    /** Starts the background work; files indexed by another embedder are indexed again. */
    async start(): Promise<void> {
      await db
        .update(knowledgeFiles)
        .set({ indexState: 'pending', attempts: 0, dueAt: sql`now()` })
        .where(and(eq(knowledgeFiles.indexState, 'done'), ne(knowledgeFiles.embedderId, embedder.id)))
      const tick = async () => {
        running = sweep()
        await running
        if (!stopping.signal.aborted) timer = setTimeout(tick, everyMs)
      }
      void tick()
    },

    /** Ends the work; what is not done is done after the next start. */
    async stop(): Promise<void> {
      stopping.abort(new Error('The server is stopping'))
      clearTimeout(timer)
      embedder.close()
      await running.catch(() => {})
    },
  }
}

export type Indexer = ReturnType<typeof createIndexer>
