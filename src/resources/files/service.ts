import { and, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { sortedBy, wholeList } from '../../api/paging/walk.ts'
import type { Executor } from '../../db/client.ts'
import { whenReachable } from '../../db/wait.ts'
import { extractPassages } from '../../knowledge/passages/extract.ts'
import type { IndexedPassage } from '../../knowledge/passages/indexed.ts'
import { passagesVersion } from '../../knowledge/passages/split.ts'
import { ifInTime } from '../../runtime/deadline.ts'
import { sleep } from '../../runtime/sleep.ts'
import { lockAgent, ofAgent, requireAgent } from '../agents/access.ts'
import { deleteNoted, noteDeletions } from '../deletions/deletions.ts'
import { storing, type Unrecorded } from '../deletions/storing.ts'
import { moveVersion } from './indexer.ts'
import { allowedExtensions, type FileKind, isExtractable, kindOf, safeName } from './kinds.ts'
import { storePassages } from './passages.ts'
import type { FileEntry, FilesQuery, SearchInput, UploadInput } from './schema.ts'
import { knowledgeChunks, knowledgeFiles } from './table.ts'

/** How long an upload asks a database that is away again. */
const recordSeconds = 10
/** An upload waits that long for its vectors; longer ones are made in the background. */
const timeoutMs = 4_000
/** How long an upload waits for its turn to be taken apart. */
const maxWaitMs = 45_000

type Row = typeof knowledgeFiles.$inferSelect
type NewFile = typeof knowledgeFiles.$inferInsert

const common = (row: Row) => ({
  id: row.id,
  project_id: row.agentId,
  original_name: row.originalName,
  mime: row.mime,
  size: row.size,
  created_at: row.createdAt.toISOString(),
  extractable: row.extractable,
})

const entryOf = (ctx: AccountContext, agentId: string, row: Row, vectors: number): z.input<typeof FileEntry> => ({
  ...common(row),
  vector_count: vectors,
  indexed: row.indexState === 'done',
  url: `${ctx.settings.publicUrl}/agents/${agentId}/files/${row.id}/content`,
  preview_kind: kindOf(row.originalName)?.preview ?? 'document',
})

/**
 * Counted from an index that has only these passages, without reading a vector. The file's column is named with its
 * table: in the fields of one table's select it would stand bare, and mean the passage's.
 */
const vectors = sql<number>`(select count(*)::int from ${knowledgeChunks}
  where ${knowledgeChunks.fileId} = ${knowledgeFiles}.${sql.identifier(knowledgeFiles.id.name)}
    and ${knowledgeChunks.vector} is not null)`

const newestFirst = sortedBy('desc', knowledgeFiles.id)

/** An agent's files, newest first (contract: files 1, files 14). Throws 404 without view access, 422 on `cursor`. */
export async function listFiles(ctx: AccountContext, input: z.output<typeof FilesQuery>) {
  const { row: agent } = await requireAgent(ctx, input.agent_id)
  const { rows, ...more } = await wholeList(ctx, input, {
    read: ({ after, limit }) =>
      ctx.db
        .select({ file: knowledgeFiles, vectors })
        .from(knowledgeFiles)
        .where(and(eq(knowledgeFiles.agentId, agent.id), newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit),
    keysOf: ({ file }) => [file.id],
  })
  return { data: rows.map(({ file, vectors }) => entryOf(ctx, agent.agentId, file, vectors)), ...more }
}

/**
 * Stores a file and, where it is text, its passages; their vectors are made at once when that is quick, else in the
 * background (contract: files 2). Throws 422 for an extension that is not taken, 404, 403 without edit access.
 */
export async function uploadFile(ctx: AccountContext, input: z.output<typeof UploadInput>) {
  const originalName = safeName(input.file.name)
  const kind = kindOf(originalName)
  if (!kind) throw new ApiError('file_type_unsupported', { detail: allowedExtensions })
  const { row: agent } = await requireAgent(ctx, input.agent_id, 'edit')
  const made = ctx.idempotencyId && (await findUploaded(ctx.db, agent.id, ctx.idempotencyId))
  const row =
    made || (await store(ctx, input.file, { agentId: agent.id, workspaceId: agent.workspaceId, originalName, kind }))
  const indexed = row.extracted && (await indexedSoon(ctx, row))
  return { ...common(row), extracted: row.extracted, indexed }
}

/** What an earlier try of a keyed request has made. */
async function findUploaded(executor: Executor, agentId: number, requestId: string): Promise<Row | undefined> {
  const mine = and(eq(knowledgeFiles.agentId, agentId), eq(knowledgeFiles.requestId, requestId))
  const [row] = await executor.select().from(knowledgeFiles).where(mine)
  return row
}

interface Upload {
  agentId: number
  workspaceId: number
  originalName: string
  kind: FileKind
}

/**
 * Runs what takes a text apart or stores its passages in its turn: a file of a workspace after the other. Throws 429
 * when it does not come.
 */
function inTurn<T>({ account, extractions, signal }: AccountContext, work: () => Promise<T>): Promise<T> {
  return extractions.run(account.workspaceId, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]), work)
}

/** Stores the content, and records the file with its passages. */
async function store(
  ctx: AccountContext,
  file: File,
  { agentId, workspaceId, originalName, kind }: Upload,
): Promise<Row> {
  const split = async () => extractPassages({ name: originalName, bytes: await file.bytes() })
  const chunks = isExtractable(kind) ? await inTurn(ctx, split) : []
  const storageKey = `knowledge/${crypto.randomUUID()}`
  const values = {
    agentId,
    workspaceId,
    originalName,
    mime: kind.mime,
    size: file.size,
    storageKey,
    requestId: ctx.idempotencyId,
    extractable: isExtractable(kind),
    extracted: chunks.length > 0,
    indexState: chunks.length > 0 ? ('pending' as const) : ('none' as const),
    passagesVersion,
    createdAt: ctx.clock.now(),
  }
  return storing(
    ctx,
    { key: storageKey, content: file, type: kind.mime, share: ctx.account.workspaceId },
    (unrecorded) => {
      const record = () => recordSurely(ctx, values, chunks, unrecorded)
      return chunks.length > 0 ? inTurn(ctx, record) : record()
    },
  )
}

/** Records a file whose content is stored: once, however often a lost connection makes it ask again. */
function recordSurely(
  ctx: AccountContext,
  values: NewFile,
  passages: readonly IndexedPassage[],
  unrecorded: Unrecorded,
): Promise<Row> {
  const record = () => ofAgent(recordOnce(ctx, values, passages, unrecorded))
  return whenReachable(record, { seconds: recordSeconds, now: () => performance.now(), sleep })
}

/** Waits for an earlier try that is still under way, and finds what it made. */
function recordOnce(
  ctx: AccountContext,
  values: NewFile,
  passages: readonly IndexedPassage[],
  unrecorded: Unrecorded,
): Promise<Row> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.insert(knowledgeFiles).values(values).onConflictDoNothing().returning()
    if (!row) {
      const same = [eq(knowledgeFiles.storageKey, values.storageKey)]
      if (values.requestId) same.push(eq(knowledgeFiles.requestId, values.requestId))
      const [made] = await tx
        .select()
        .from(knowledgeFiles)
        .where(or(...same))
      if (!made) throw new ApiError('internal_error')
      return made
    }
    await unrecorded.settle(tx)
    await storePassages(tx, row, passages)
    await moveVersion(tx, row)
    return row
  })
}

/** Whether the vectors were made at once; what fails is left to the background. */
async function indexedSoon(ctx: AccountContext, row: Row): Promise<boolean> {
  const work = ctx.indexer.index({ id: row.id }).catch((error) => {
    ctx.log.warn({ event: 'indexing_failed', err: error, fileId: row.id }, 'indexing after an upload failed')
  })
  await ifInTime(work, timeoutMs)
  const [now] = await ctx.db
    .select({ state: knowledgeFiles.indexState })
    .from(knowledgeFiles)
    .where(eq(knowledgeFiles.id, row.id))
    .catch((error) => {
      ctx.log.warn(
        { event: 'indexing_unknown', err: error, fileId: row.id },
        'whether a file is indexed cannot be told',
      )
      return []
    })
  return now?.state === 'done'
}

async function requireFile(ctx: AccountContext, agentId: number, fileId: number): Promise<Row> {
  const [row] = await ctx.db
    .select()
    .from(knowledgeFiles)
    .where(and(eq(knowledgeFiles.agentId, agentId), eq(knowledgeFiles.id, fileId)))
  if (!row) throw new ApiError('file_not_found')
  return row
}

/** Deletes a file with its passages (contract: files 9). Throws 404, 403 without edit access. */
export async function deleteFile(ctx: AccountContext, input: { agent_id: string; file_id: number }) {
  const { row: agent } = await requireAgent(ctx, input.agent_id, 'edit')
  const row = await requireFile(ctx, agent.id, input.file_id)
  await ctx.db.transaction(async (tx) => {
    await lockAgent(tx, row.agentId)
    const [deleted] = await tx.delete(knowledgeFiles).where(eq(knowledgeFiles.id, row.id)).returning()
    if (!deleted) throw new ApiError('file_not_found')
    await moveVersion(tx, row)
    await noteDeletions(tx, [row.storageKey])
  })
  await deleteNoted(ctx, [row.storageKey])
  return row.id
}

/** The bytes of a file (contract: files 8). Throws 404 without view access. */
export async function downloadFile(ctx: AccountContext, input: { agent_id: string; file_id: number }) {
  const { row: agent } = await requireAgent(ctx, input.agent_id)
  const row = await requireFile(ctx, agent.id, input.file_id)
  const stored = await ctx.files.stream(row.storageKey, { share: ctx.account.workspaceId })
  if (!stored) throw new ApiError('file_not_found')
  return { name: row.originalName, type: row.mime, size: stored.size, body: stored.body }
}

/** The best passages for a question (contract: files 10). Throws 404 without view access, 429 when too many run. */
export async function searchFiles(ctx: AccountContext, input: z.output<typeof SearchInput>) {
  const { row: agent } = await requireAgent(ctx, input.agent_id)
  const { q: query, limit } = input
  const { workspaceId } = ctx.account
  const search = () => ctx.search({ agentId: agent.id, workspaceId, query, limit, signal: ctx.signal })
  const found = await ctx.searchSlots.run(workspaceId, search)
  return found.map(({ fileId, file, heading, text, score }) => ({
    ...{ file_id: fileId, original_name: file, text, score },
    ...(heading !== null && { heading }),
  }))
}
