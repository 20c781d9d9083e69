import { and, asc, count, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import { findMade, makeOnce } from '../../api/idempotency/once.ts'
import { pageOfList } from '../../api/paging/walk.ts'
import { violationOf } from '../../db/violations.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { workspaces } from '../workspaces/table.ts'
import { type Judged, judge, marked, type Unmanaged, unmanaged } from './candidates.ts'
import type { ImportOwner } from './importer.ts'
import type { CandidateQuery, CandidateRecord, ImportInput, ImportRecord } from './schema.ts'
import { importItems, imports } from './table.ts'

const maxItems = 1000

/** Throws 502 while the platform cannot be read. */
const reading = <T>(read: Promise<T>): Promise<T> =>
  read.catch((cause: unknown) => {
    if (cause instanceof PlatformError) throw new ApiError('import_unavailable', { cause })
    throw cause
  })

const callerAsImportOwner = ({ account }: AccountContext): ImportOwner => ({
  workspaceId: account.workspaceId,
  userId: account.userId,
  resellerId: account.resellerId,
})

/** Whose the adopted resources become: the owner's of the workspace. Throws 422 on `workspace_id`. */
async function importOwner(ctx: AccountContext, workspaceId: number | null | undefined): Promise<ImportOwner> {
  if (workspaceId == null || workspaceId === ctx.account.workspaceId) return callerAsImportOwner(ctx)
  const [row] = await ctx.db.select().from(workspaces).where(eq(workspaces.id, workspaceId))
  if (!row) throw notExisting('workspace_id')
  const { ownerId, resellerId } = row
  if (ownerId === null) throw validationError({ workspace_id: ['The workspace has no owner yet.'] })
  return { workspaceId, userId: ownerId, resellerId }
}

const shown = ({ kind, live, name }: Unmanaged) => ({ kind, voice_id: live.id, name })

const idsOf = (objects: readonly Unmanaged[]) => new Set(objects.map(({ live }) => live.id))

/**
 * What lives on the platform and has no record, with what an import would make of it (contract: imports 1). Throws 502.
 */
export async function listCandidates(ctx: AccountContext, query: z.output<typeof CandidateQuery>) {
  const keyOf = ({ kind, live }: Unmanaged) => `${kind} ${live.id}`
  const keyed = (await reading(unmanaged(ctx, ctx.signal, query.kind))).map((one) => ({ key: keyOf(one), one }))
  const found = keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ one }) => one)
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: async ({ after, limit, offset }) => {
      const rest = after ? found.filter((one) => keyOf(one) > String(after[0])) : found.slice(offset)
      return rest.slice(0, limit)
    },
    keysOf: (one) => [keyOf(one)],
    total: async () => found.length,
  })
  const mine = callerAsImportOwner(ctx)
  const data: CandidateRecord[] = []
  const context = { ...ctx, expected: idsOf(found) }
  for (const one of rows) data.push({ ...shown(one), ...(await judge(context, one, mine, false)) })
  return { data, pagination }
}

/** An object that an input names, and why it is left nevertheless. */
type Wanted = Unmanaged & { left?: string }

/**
 * The objects that an input names; those with the mark of an installation are left unless it names them by their ids.
 * Throws 422 on an id that is no candidate.
 */
async function chosen(ctx: AccountContext, { ids }: z.output<typeof ImportInput>): Promise<Wanted[]> {
  const found = await reading(unmanaged(ctx, ctx.signal))
  const byId = new Map(found.map((one) => [one.live.id, one]))
  ids?.forEach((id, index) => {
    if (!byId.has(id)) throw validationError({ [`ids.${index}`]: [`The selected ids.${index} is no candidate.`] })
  })
  if (ids) return found.filter(({ live }) => ids.includes(live.id))
  return found.map((one) => (one.mark === undefined ? one : { ...one, left: marked }))
}

type Chosen = Wanted & { judged: Judged }

/** The objects with what an import would make of each: with thousands of them that takes as many statements. */
async function judgedOf(ctx: AccountContext, wanted: readonly Wanted[], owner: ImportOwner): Promise<Chosen[]> {
  const judged: Chosen[] = []
  const context = { ...ctx, expected: idsOf(wanted) }
  for (const one of wanted) judged.push({ ...one, judged: await judge(context, one, owner, one.left === undefined) })
  return judged
}

const dryItem = ({ judged, left, ...one }: Chosen, names: ReadonlySet<string>): ImportRecord['items'][number] => {
  const waits = !judged.importable && [...names].some((id) => judged.reason?.includes(id))
  const pending = left === undefined && (judged.importable || waits || one.kind === 'squad')
  return {
    ...shown(one),
    state: pending ? 'pending' : 'refused',
    resource: null,
    reason: pending ? null : judged.reason,
  }
}

/**
 * Starts to adopt objects in the background, in the order of what they name (contract: imports 3); with `dry_run` it
 * only says what would be done. Throws 409 while another import runs, 422 for ids that are no candidates and for the
 * workspace, 502.
 */
export async function startImport(ctx: AccountContext, input: z.output<typeof ImportInput>): Promise<ImportRecord> {
  const started = await findMade<number>(ctx)
  if (started !== undefined) return getImport(ctx, { id: started })
  const owner = await importOwner(ctx, input.workspace_id)
  const wanted = await chosen(ctx, input)
  if (input.dry_run) {
    const names = new Set(wanted.map(({ live }) => live.id))
    const items = (await judgedOf(ctx, wanted, owner)).map((one) => dryItem(one, names))
    const refused = items.filter(({ state }) => state === 'refused').length
    return {
      id: null,
      state: 'dry_run',
      workspace_id: owner.workspaceId,
      total: items.length,
      adopted: 0,
      refused,
      pending: items.length - refused,
      error: null,
      created_at: null,
      finished_at: null,
      items: items.slice(0, maxItems),
    }
  }
  const id = await makeOnce(ctx, async (tx) => {
    const requested = { requestedBy: ctx.account.userId, requestedByName: ctx.account.name }
    const [made] = await tx
      .insert(imports)
      .values({ ...owner, ...requested })
      .returning({ id: imports.id })
    if (!made) throw new ApiError('internal_error')
    const rows = wanted.map(({ kind, live, name, left }) => ({
      importId: made.id,
      kind,
      liveId: live.id,
      name,
      ref: crypto.randomUUID(),
      ...(left === undefined ? { state: 'pending' as const } : { state: 'refused' as const, reason: left }),
    }))
    for (let start = 0; start < rows.length; start += maxItems) {
      await tx.insert(importItems).values(rows.slice(start, start + maxItems))
    }
    return made.id
  }).catch((error: unknown) => {
    if (violationOf(error)) throw new ApiError('import_running', { cause: error })
    throw error
  })
  ctx.work.wake()
  return getImport(ctx, { id })
}

/** How far an import is. Throws 404. */
export async function getImport({ db }: AccountContext, input: { id: number }): Promise<ImportRecord> {
  const [row] = await db.select().from(imports).where(eq(imports.id, input.id))
  if (!row) throw new ApiError('import_not_found')
  const mine = eq(importItems.importId, row.id)
  const [counted, items] = await Promise.all([
    db.select({ state: importItems.state, total: count() }).from(importItems).where(mine).groupBy(importItems.state),
    db
      .select()
      .from(importItems)
      .where(and(mine))
      .orderBy(desc(importItems.state), asc(importItems.id))
      .limit(maxItems),
  ])
  const of = (state: (typeof counted)[number]['state']) => counted.find((one) => one.state === state)?.total ?? 0
  return {
    id: row.id,
    state: row.finishedAt ? 'finished' : 'running',
    workspace_id: row.workspaceId,
    total: of('adopted') + of('refused') + of('pending'),
    adopted: of('adopted'),
    refused: of('refused'),
    pending: of('pending'),
    error: row.lastError,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    items: items.map(({ kind, liveId, name, state, resource, reason }) => ({
      kind,
      voice_id: liveId,
      name,
      state,
      resource,
      reason,
    })),
  }
}
