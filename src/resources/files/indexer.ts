import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database, Executor } from '../../db/client.ts'
import { dueNow } from '../../db/schedule.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import { type Claimed, ClaimLostError, workOn } from '../../db/work/claim.ts'
import type { SharedEmbedder } from '../../knowledge/embedder.ts'
import { searchText } from '../../knowledge/passages/passage.ts'
import { passagesVersion } from '../../knowledge/passages/split.ts'
import { packVector } from '../../knowledge/vectors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createLogProgress } from '../../runtime/log-progress.ts'
import type { Files } from '../../storage/files.ts'
import { splitAgain } from './passages.ts'
import { knowledgeChunks, knowledgeFiles, knowledgeVersions } from './table.ts'

const batchSize = 16
/** How long a file outlives a crash of the instance that indexes it. */
const leaseMs = 8_000
const firstPauseMs = 2_000
const maxPauseMs = 300_000
/** Files of different workspaces that an instance works on at once. */
const filesAtOnce = 4

/** What vectors are made by: they are made anew when the embedder or the way of splitting is another. */
export const indexIdOf = (embedderId: string): string => `${embedderId}/${passagesVersion}`

/** Says to every instance that an agent's passages have changed. */
export async function moveVersion(executor: Executor, agent: { agentId: number; workspaceId: number }): Promise<void> {
  await executor
    .insert(knowledgeVersions)
    .values({ agentId: agent.agentId, workspaceId: agent.workspaceId, version: 1 })
    .onConflictDoUpdate({ target: knowledgeVersions.agentId, set: { version: sql`${knowledgeVersions.version} + 1` } })
}

interface IndexerOptions {
  db: Database
  clock: Clock
  embedder: SharedEmbedder
  files: Files
  log: Logger
}

/**
 * The file of each workspace that has waited longest, so that no tenant's many files hold up another's. None is locked
 * to choose it, which could not be done over several servers: two that choose the same are told apart by the claim.
 */
const fairChoice = (limit: number) => sql`
  select id from (
    select distinct on (workspace_id) id, due_at from ${knowledgeFiles}
    where index_state = 'pending' and due_at <= now()
    order by workspace_id, due_at) oldest
  order by due_at limit ${limit}`

const filesToIndex = workOn({
  table: knowledgeFiles,
  id: knowledgeFiles.id,
  dueAt: knowledgeFiles.dueAt,
  owner: knowledgeFiles.owner,
  attempts: knowledgeFiles.attempts,
  open: eq(knowledgeFiles.indexState, 'pending'),
  leaseMs,
  choose: fairChoice,
})

type FileRow = Claimed<typeof knowledgeFiles>

/**
 * Gives the passages of files their vectors, in the background. What is to be done stands in the files' own rows, so
 * it survives a restart, and one instance at a time works on a file.
 */
export function createIndexer({ db, clock, embedder, files, log }: IndexerOptions) {
  const indexId = indexIdOf(embedder.id)
  const stopping = new AbortController()
  const working = new Set<Promise<void>>()

  /** One batch; returns whether there was any. */
  const embedBatch = async (fileId: number, workspaceId: number): Promise<boolean> => {
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

  /** Indexes a claimed file, or leaves it: to another that took it over, to the next start, or until later. */
  const embedFile = async (file: FileRow): Promise<void> => {
    try {
      const { workspaceId } = file
      await filesToIndex.keeping(db, file, () => splitAgain(db, files, file.id, workspaceId))
      const goesOn = () => filesToIndex.keeping(db, file, () => embedBatch(file.id, workspaceId))
      while (!stopping.signal.aborted && (await goesOn())) {
        if (!(await filesToIndex.renew(db, file))) return
      }
      if (stopping.signal.aborted) return await filesToIndex.release(db, file)
      await db.transaction(async (tx) => {
        await filesToIndex.settle(tx, file, { indexState: 'done', embedderId: indexId })
        await moveVersion(tx, file)
      })
    } catch (error) {
      if (error instanceof ClaimLostError) return
      if (stopping.signal.aborted) return await filesToIndex.release(db, file).catch(() => {})
      // A file whose workspace cannot pay for it waits until it can.
      if (!(error instanceof ApiError)) {
        log.warn({ event: 'indexing_failed', err: error, fileId: file.id }, 'indexing a file will be tried again')
      }
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(file.attempts, 10))
      await filesToIndex.backOff(db, file, '', pauseMs).catch(() => {})
    }
  }

  const track = (work: Promise<void>) => {
    const tracked: Promise<void> = work.finally(() => working.delete(tracked))
    working.add(tracked)
    return tracked
  }

  return {
    /** Indexes one file now unless another does; resolves when it is done or has to wait. */
    async index({ id }: { id: number }): Promise<void> {
      const [file] = await filesToIndex.claim(db, 1, eq(knowledgeFiles.id, id))
      if (file) await track(embedFile(file))
    },

    /** Files indexed by another embedder are indexed again. */
    async prepare(alone: boolean): Promise<void> {
      if (alone) await filesToIndex.releaseAll(db)
      await db
        .update(knowledgeFiles)
        .set({ indexState: 'pending', attempts: 0, dueAt: dueNow })
        .where(and(eq(knowledgeFiles.indexState, 'done'), ne(knowledgeFiles.embedderId, indexId)))
    },

    work: {
      name: 'indexing',
      nextDue: filesToIndex.nextDue,
      counts: filesToIndex.counts,
      async run() {
        const left = async () => {
          const { due, waiting, claimed } = await filesToIndex.counts(db)
          return due + waiting + claimed
        }
        const said = { event: 'indexing_progress', text: 'files get their vectors' }
        const progress = createLogProgress({ log, clock, ...said, left })
        for (;;) {
          const due = stopping.signal.aborted ? [] : await filesToIndex.claim(db, filesAtOnce)
          if (due.length === 0) return
          await Promise.all(due.map((file) => track(embedFile(file).then(progress))))
        }
      },
    },

    /** Ends the work; what is not done is done after the next start. */
    async stop(): Promise<void> {
      stopping.abort(new Error('The server is stopping'))
      embedder.close()
      await Promise.all(working)
    },
  } satisfies BackgroundPart & { index(file: { id: number }): Promise<void> }
}

export type Indexer = ReturnType<typeof createIndexer>
