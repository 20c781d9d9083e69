import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { hasScope } from '../../accounts/token-scopes.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { violationsAs } from '../../api/errors/not-existing.ts'
import { findMade, noteMade } from '../../api/idempotency/once.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { pageQuery } from '../../api/schemas.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { violationOf } from '../../db/violations.ts'
import { isObject } from '../../json/object.ts'
import { recordAudit } from '../audit/record.ts'
import { maskedIn } from '../history/mask.ts'
import type { CatalogueKind, EntryTable } from './kind.ts'

type Values = Record<string, unknown>

/** The columns of a table by the names that the contract gives them. */
const selection = (table: EntryTable) =>
  Object.fromEntries(Object.values(getTableColumns(table)).map((column) => [column.name, column]))

/** A body's fields by the names that drizzle gives their columns. */
const columnsOf = (table: EntryTable, body: Values): Values =>
  Object.fromEntries(Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, body[name]]))

/** A selected row as an entry of its kind: dates become texts. */
function entryOf<Entry>(kind: { Entry: z.ZodType<Entry, Entry> }, row: Values): Entry {
  const plain = Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value])
  return kind.Entry.parse(Object.fromEntries(plain))
}

/**
 * An entry as a caller sees it: a token that may not write the catalogue sees no secrets in it
 * (contract: catalogue 13).
 */
function seenEntry<Entry>(ctx: AccountContext, kind: { Entry: z.ZodType<Entry, Entry> }, row: Values): Entry {
  return entryOf(kind, hasScope(ctx.account.scopes, 'admin:write') ? row : shownRow(row))
}

/** Columns that are no plain objects, such as dates, stay as they are. */
const shownRow = (row: Values): Values =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isObject(value) && !(value instanceof Date) ? maskedIn(value) : value,
    ]),
  )

/** An entry in the audit trail. */
const subjectOf = (kind: { path: string }, row: Values) => ({ kind: kind.path, id: String(row.id) })

/** A page of a kind's entries, newest first (contract: catalogue 1). */
export async function listEntries<Id, In, Out, UpdateIn, Entry>(
  ctx: AccountContext,
  kind: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  query: z.output<typeof pageQuery>,
) {
  const { table } = kind
  // To the millisecond, as it is in a cursor; ids of tools are in no order.
  const newestFirst = sortedBy('desc', sql`date_trunc('milliseconds', ${table.createdAt})`, table.id)
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select(selection(table))
        .from(table)
        .where(newestFirst.after(after))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ created_at: createdAt, id }) => [
      createdAt instanceof Date ? createdAt.toISOString() : String(createdAt),
      typeof id === 'number' ? id : String(id),
    ],
    total: () => ctx.db.$count(table),
  })
  return { data: rows.map((row) => seenEntry(ctx, kind, row)), pagination }
}

/** The id by which an entry is found now. */
const idNow = async <Id, In, Out, UpdateIn, Entry>(
  { db }: AccountContext,
  { idNow }: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  id: Id,
): Promise<Id> => (idNow ? idNow(db, id) : id)

/** One entry. Throws 404 'Catalogue entry not found'. */
export async function getEntry<Id, In, Out, UpdateIn, Entry>(
  ctx: AccountContext,
  kind: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  given: Id,
) {
  const id = await idNow(ctx, kind, given)
  const [row] = await ctx.db.select(selection(kind.table)).from(kind.table).where(eq(kind.table.id, id))
  if (!row) throw new ApiError('catalogue_entry_not_found')
  return seenEntry(ctx, kind, row)
}

function checkBody<Id, In, Out extends Values, UpdateIn, Entry>(
  kind: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  body: Out,
): void {
  const refused = kind.refuse?.(body)
  if (refused) throw validationError(refused)
}

/**
 * Makes an entry. The input was checked by the procedure, and is read again only because a generic procedure does not
 * carry its type. Throws 422 for references that do not exist and for names that are
 * taken.
 */
export async function createEntry<Id, In, Out extends Values, UpdateIn, Entry>(
  ctx: AccountContext,
  kind: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  input: unknown,
) {
  const said = kind.Body.parse(input)
  checkBody(kind, said)
  const known = await findMade<Entry>(ctx)
  if (known !== undefined) return known
  const body = (await kind.resolve?.(ctx, said)) ?? said
  const now = ctx.clock.now()
  const { table } = kind
  const record = async (tx: Transaction, columns: Values) => {
    const kept = (await kind.lock?.(tx, body)) ?? body
    const [row] = await tx
      .insert(table)
      .values({ ...columnsOf(table, kept), createdAt: now, updatedAt: now, ...columns })
      .returning(selection(table))
    if (!row) throw new ApiError('internal_error')
    await recordAudit(tx, ctx, { action: 'created', subject: subjectOf(kind, row), after: row })
    const entry = entryOf(kind, row)
    await noteMade(ctx, tx, entry)
    return entry
  }
  const create = kind.live ? kind.live.create(ctx, body, record) : ctx.db.transaction((tx) => record(tx, {}))
  return await violationsAs(kind.constraints, create)
}

/**
 * Updates an entry: what it may do without keeps its value where it is left out. Throws 404, 422 as in `createEntry`.
 */
export async function updateEntry<Id, In, Out extends Values, UpdateIn, Entry>(
  ctx: AccountContext,
  kind: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  input: unknown,
) {
  const sent = kind.Update.parse(input)
  const said = { ...kind.implied?.(sent), ...sent }
  const id = await idNow(ctx, kind, sent.id)
  const { table } = kind
  const rowOf = (executor: Executor, at: Id) => executor.select(selection(table)).from(table).where(eq(table.id, at))
  /** The entry as it is to be; of one that is gone, with nothing but what is said. */
  const read = async () => {
    const [stored] = await rowOf(ctx.db, id)
    const body = { ...(stored ?? kind.Body.parse(input)), ...said, id } as Out & { id: Id }
    checkBody(kind, body)
    return { ...body, ...(await kind.resolve?.(ctx, body)), id }
  }
  /**
   * Sets what is said: the rest may have been set meanwhile. What it names is locked before it, in the order of all
   * writers.
   */
  const commit = async (tx: Transaction, at: Id, body: Out) => {
    const next = { ...body, id: at }
    const kept: Values = (await kind.lock?.(tx, next)) ?? next
    const [before] = await rowOf(tx, at).for('no key update')
    // One that was made again meanwhile was looked at before.
    if (at === id) await requireMatch(ctx, { id }, tx)
    const set = Object.fromEntries(Object.keys(said).map((field) => [field, kept[field]]))
    const values = { ...columnsOf(table, set), updatedAt: ctx.clock.now() }
    const [row] = await tx.update(table).set(values).where(eq(table.id, at)).returning(selection(table))
    if (!before || !row) throw new ApiError('catalogue_entry_not_found')
    await recordAudit(tx, ctx, { action: 'updated', subject: subjectOf(kind, row), before, after: row })
    return entryOf(kind, row)
  }
  const here = async () => {
    const body = await read()
    return ctx.db.transaction((tx) => commit(tx, id, body))
  }
  const update = kind.live ? kind.live.update(ctx, id, { read, commit }) : here()
  return await violationsAs(kind.constraints, update)
}

const inUse = (detail: string, cause?: unknown) => new ApiError('catalogue_entry_in_use', { detail, cause })

/**
 * Deletes an entry that nothing uses. The foreign keys judge, and `usedBy` while the entry is locked, so that what
 * begins to use it at the same time counts. Throws 404, 409 naming by what it is used.
 */
export async function deleteEntry<Id, In, Out, UpdateIn, Entry>(
  ctx: AccountContext,
  kind: CatalogueKind<Id, In, Out, UpdateIn, Entry>,
  given: Id,
) {
  const { table } = kind
  const id = await idNow(ctx, kind, given)
  const check = async (tx: Transaction) => {
    await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).for('update')
    await requireMatch(ctx, { id }, tx)
    const user = await kind.usedBy?.(tx, id)
    if (user) throw inUse(user)
  }
  try {
    const commit = async (tx: Transaction) => {
      const [before] = await tx.delete(table).where(eq(table.id, id)).returning(selection(table))
      if (!before) throw new ApiError('catalogue_entry_not_found')
      await recordAudit(tx, ctx, { action: 'deleted', subject: subjectOf(kind, before), before })
    }
    const remove = async (tx: Transaction) => {
      await check(tx)
      await commit(tx)
    }
    await (kind.live ? kind.live.remove(ctx, id, { check, commit }) : ctx.db.transaction(remove))
  } catch (error) {
    const broken = violationOf(error)
    if (broken?.kind === 'reference') throw inUse(broken.table.replaceAll('_', ' '), error)
    throw error
  }
}
