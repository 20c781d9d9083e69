import { and, asc, count, desc, eq, ilike, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Scope, withinScope } from '../../../accounts/scope.ts'
import type { AccountContext } from '../../../api/context.ts'
import { bytesOfText, checkPageWeight } from '../../../api/page-weight.ts'
import type { Key } from '../../../api/paging/cursor.ts'
import { pageOfList } from '../../../api/paging/walk.ts'
import type { Database } from '../../../db/client.ts'
import { preparedQuery } from '../../../db/prepared/query.ts'
import { preparedSelect } from '../../../db/prepared/statement.ts'
import { personalities, promptTemplates } from '../../catalogue/table.ts'
import { users } from '../../users/table.ts'
import { workspaces } from '../../workspaces/table.ts'
import { type AssistantType, type ListQuery, sortFields } from '../schema.ts'
import { assistantCounts, assistants } from '../table.ts'
import { type AssistantRowData, assistantRecord, liteRecord, recordColumns } from './record.ts'

/** What a list asks for; only the v2 list asks for a type. */
type Query = Omit<z.output<typeof ListQuery>, 'lite'> & { type?: AssistantType | null }

const sortColumns = { name: assistants.name, created_at: assistants.createdAt, user_id: assistants.userId }

interface Shape {
  scope: Scope
  sort: keyof typeof sortColumns
  order: 'asc' | 'desc'
  byName: boolean
  byPhone: boolean
  byType: boolean
  /** Whether it goes on after a row. */
  goesOn: boolean
}

/** `%` and `_` in what a caller looks for are characters, not wildcards. */
const contains = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/** The column, and then the id: values of the row that a list goes on after. */
const afterRow = ({ sort, order }: Shape): SQL =>
  sql`(${sortColumns[sort]}, ${assistants.id}) ${order === 'desc' ? sql`<` : sql`>`}
    (${sql.placeholder('key')}, ${sql.placeholder('lastId')})`

const filters = ({ scope, byName, byPhone, byType }: Shape): SQL | undefined =>
  and(
    withinScope(scope, assistants),
    byName ? ilike(assistants.name, sql.placeholder('search')) : undefined,
    byPhone ? ilike(assistants.phoneNumber, sql.placeholder('phone')) : undefined,
    byType ? eq(assistants.type, sql.placeholder('type')) : undefined,
  )

const rowsOf = (shape: Shape) => and(filters(shape), shape.goesOn ? afterRow(shape) : undefined)

/** Which rows a page has is told by an index alone: the rows before it are neither read nor joined. */
const pageQuery = (shape: Shape) => {
  const direction = shape.order === 'desc' ? desc : asc
  const order = [direction(sortColumns[shape.sort]), direction(assistants.id)]
  return preparedSelect<AssistantRowData>(
    recordColumns,
    (executor) => {
      const page = executor
        .select({ id: assistants.id })
        .from(assistants)
        .where(rowsOf(shape))
        .orderBy(...order)
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
        .as('page')
      return executor
        .select(recordColumns)
        .from(page)
        .innerJoin(assistants, eq(assistants.id, page.id))
        .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
        .leftJoin(users, eq(users.id, assistants.userId))
        .leftJoin(promptTemplates, eq(promptTemplates.id, assistants.templateId))
        .orderBy(...order)
    },
    { plannedFor: shape.byName || shape.byPhone || shape.byType ? 'values' : 'all' },
  )
}

/** Without filters the total is read from counters that a trigger keeps: it costs the same at any size. */
const totalQuery = (shape: Shape, key: string) =>
  preparedQuery(`assistants_total_${key}`, (db, name) =>
    shape.byName || shape.byPhone || shape.byType
      ? db.select({ total: count() }).from(assistants).where(filters(shape)).prepare(name)
      : db
          .select({ total: sql<number>`coalesce(sum(${assistantCounts.count}), 0)::int` })
          .from(assistantCounts)
          .innerJoin(workspaces, eq(workspaces.id, assistantCounts.workspaceId))
          .where(
            withinScope(shape.scope, { workspaceId: assistantCounts.workspaceId, resellerId: workspaces.resellerId }),
          )
          .prepare(name),
  )

/** How much text the rows of a page hold, in bytes, without fetching them. */
const sizeQuery = (shape: Shape, key: string) =>
  preparedQuery(`assistants_size_${key}`, (db, name) => {
    const direction = shape.order === 'desc' ? desc : asc
    const rows = db
      .select({ config: assistants.config, live: assistants.live, metadata: assistants.metadata })
      .from(assistants)
      .where(rowsOf(shape))
      .orderBy(direction(sortColumns[shape.sort]), direction(assistants.id))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .as('page')
    return db
      .select({ bytes: bytesOfText(rows.config, rows.live, rows.metadata) })
      .from(rows)
      .prepare(name)
  })

interface ListQueries {
  page: ReturnType<typeof pageQuery>
  size: ReturnType<typeof sizeQuery>
  total: ReturnType<typeof totalQuery>
}

const queries = new Map<string, ListQueries>()

function queriesOf(shape: Shape): ListQueries {
  const { scope, sort, order, byName, byPhone, byType, goesOn } = shape
  const key = [
    scope.kind,
    sort,
    order,
    byName ? 'n' : '',
    byPhone ? 'p' : '',
    byType ? 't' : '',
    goesOn ? 'g' : '',
  ].join('_')
  const known = queries.get(key) ?? {
    page: pageQuery(shape),
    size: sizeQuery(shape, key),
    total: totalQuery(shape, key),
  }
  queries.set(key, known)
  return known
}

/** So few rows are never more than a server has room for. */
const uncheckedRows = 25

/** Reads some rows of a list. Throws 422 on `per_page` when they are too large for one response. */
async function readRows(db: Database, shape: Shape, values: Record<string, unknown> & { limit: number }) {
  const { page, size } = queriesOf(shape)
  if (values.limit > uncheckedRows) {
    const [weighed] = await size(db).execute(values)
    checkPageWeight(weighed?.bytes ?? 0)
  }
  return page(db, values)
}

const keyOf: Record<keyof typeof sortColumns, (row: AssistantRowData) => Key> = {
  name: ({ name }) => name,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  user_id: ({ userId }) => userId,
}

/**
 * The rows of a page of the caller's assistants, and its pagination.
 * Throws 422 on `per_page` when they are too large for one response, and on `cursor`.
 */
export function findPage(ctx: AccountContext, query: Query) {
  const sort = sortFields.find((field) => field === query.sort_by) ?? 'name'
  const shape: Shape = {
    scope: ctx.scope,
    sort,
    order: query.sort_order,
    byName: Boolean(query.search),
    byPhone: Boolean(query.phone_search),
    byType: Boolean(query.type),
    goesOn: false,
  }
  const asked = {
    scope: shape.scope.id,
    search: contains(query.search ?? ''),
    phone: contains(query.phone_search ?? ''),
    type: query.type ?? null,
  }
  return pageOfList(ctx, query, {
    read({ after, limit, offset }) {
      const [key = null, lastId = null] = after ?? []
      const values = { ...asked, limit, offset, key, lastId }
      return readRows(ctx.db, { ...shape, goesOn: after !== undefined }, values)
    },
    keysOf: (row) => [keyOf[sort](row), row.id],
    async total() {
      const [counted] = await queriesOf(shape).total(ctx.db).execute(asked)
      return Number(counted?.total ?? 0)
    },
  })
}

/** A page of the caller's assistants (contract: assistants 5). */
export async function listAssistants(ctx: AccountContext, query: z.output<typeof ListQuery>) {
  const { rows, pagination } = await findPage(ctx, query)
  return { data: rows.map(query.lite ? liteRecord : assistantRecord), pagination }
}
