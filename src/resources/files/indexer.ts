import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database, Executor } from '../../db/client.ts'
import { tryLease } from '../../db/lease/lease.ts'
import type { SharedEmbedder } from '../../knowledge/embedder.ts'
import { searchText } from '../../knowledge/passages/passage.ts'
import { passagesVersion } from '../../knowledge/passages/split.ts'
import { packVector } from '../../knowledge/vectors.ts'
import type { Files } from '../../storage/files.ts'
import { agents } from '../agents/table.ts'
import { users } from '../users/table.ts'
import { splitAgain } from './passages.ts'
import { knowledgeChunks, knowledgeFiles, knowledgeVersions } from './table.ts'

const batchSize = 16
const leaseMs = 60_000
const everyMs = 5_000
const firstPauseS = 2
const longestPauseS = 300
/** Files of different workspaces that a sweep works on at once. */
const filesAtOnce = 4

/** What vectors are made by: they are made anew when the embedder or the way of splitting is another. */
export const indexIdOf = (embedderId: string): string => `${embedderId}/${passagesVersion}`

/** Says to every instance that an agent's passages have changed. */
export async function moveVersion(executor: Executor, agentId: number): Promise<void> {
  await executor
    .insert(knowledgeVersions)
    .values({ agentId, version: 1 })
    .onConflictDoUpdate({ target: knowledgeVersions.agentId, set: { version: sql`${knowledgeVersions.version} + 1` } })
}

interface IndexerOptions {
  db: Database
  embedder: SharedEmbedder
  files: Files
  log: Logger
}

/** A file whose passages want vectors. */
interface IndexedFile {
  id: number
  agentId: number
  /** Whose share of the embedder it takes. */
  workspaceId: number
}

/**
 * Gives the passages of files their vectors, in the background. What is to be done stands in the files' own rows, so
 * it survives a restart, and one instance at a time works on a file.
 */
export function createIndexer({ db, embedder, files, log }: IndexerOptions) {
  const indexId = indexIdOf(embedder.id)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  /** One batch; answers whether there was any. */
  const embedBatch = async ({ id: fileId, workspaceId }: IndexedFile): Promise<boolean> => {
    const other = or(
      isNull(knowledgeChunks.vector),
      isNull(knowledgeChunks.embedderId),
      ne(knowledgeChunks.embedderId, indexId),
    )
    const chunks = await db
      .select({ id: knowledgeChunks.id, heading: knowledgeChunks.heading, text: knowledgeChunks.text })
      .from(knowledgeChunks)
      .where(and(eq(knowledgeChunks.fileId, fileId), other))
      .orderBy(knowledgeChunks.position)
      .limit(batchSize)
    if (chunks.length === 0) return false
    const order = { workspaceId, kind: 'passages', signal: stopping.signal } as const
    const vectors = await embedder.embed(chunks.map(searchText), order)
    await db.transaction(async (tx) => {
      for (const [index, { id }] of chunks.entries()) {
        const vector = vectors[index]
        if (!vector) throw new Error('The embedder left a text out')
        await tx
          .update(knowledgeChunks)
          .set({ vector: packVector(vector), embedderId: indexId })
          .where(eq(knowledgeChunks.id, id))
      }
    })
    return true
  }

  const embedFile = async (file: IndexedFile): Promise<void> => {
    try {
      await splitAgain(db, files, file.id)
      while (!stopping.signal.aborted && (await embedBatch(file)));
      if (stopping.signal.aborted) return
      await db.transaction(async (tx) => {
        await tx
          .update(knowledgeFiles)
          .set({ indexState: 'done', embedderId: indexId })
          .where(eq(knowledgeFiles.id, file.id))
        await moveVersion(tx, file.agentId)
      })
    } catch (error) {
      if (stopping.signal.aborted) return
      log.warn({ err: error, fileId: file.id }, 'indexing a file will be tried again')
      const pause = sql`least(${longestPauseS}, ${firstPauseS} * power(2, least(${knowledgeFiles.attempts}, 10)))`
      await db
        .update(knowledgeFiles)
        .set({ attempts: sql`${knowledgeFiles.attempts} + 1`, dueAt: sql`now() + ${pause} * interval '1 second'` })
        .where(eq(knowledgeFiles.id, file.id))
    }
  }

  /** Indexes one file unless another instance does; resolves when it is done or has to wait. */
  const index = async (file: IndexedFile): Promise<boolean> => {
    const { acquired } = await tryLease(db, `knowledge:${file.id}`, { ttlMs: leaseMs }, () => embedFile(file))
    return acquired
  }

  /** The file of each workspace that has waited longest. */
  const dueFiles = () =>
    db
      .selectDistinctOn([users.workspaceId], {
        id: knowledgeFiles.id,
        agentId: knowledgeFiles.agentId,
        workspaceId: users.workspaceId,
      })
      .from(knowledgeFiles)
      .innerJoin(agents, eq(agents.id, knowledgeFiles.agentId))
      .innerJoin(users, eq(users.id, agents.ownerId))
      .where(and(eq(knowledgeFiles.indexState, 'pending'), lte(knowledgeFiles.dueAt, sql`now()`)))
      .orderBy(users.workspaceId, knowledgeFiles.dueAt)
      .limit(filesAtOnce)

  const sweep = async (): Promise<void> => {
    try {
      for (;;) {
        const due = await dueFiles()
        if (due.length === 0 || stopping.signal.aborted) return
        const taken = await Promise.all(due.map(index))
        if (!taken.includes(true)) return
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
        .where(and(eq(knowledgeFiles.indexState, 'done'), ne(knowledgeFiles.embedderId, indexId)))
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
