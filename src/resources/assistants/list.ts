import { and, asc, count, desc, eq, ilike, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { pagination } from '../../api/schemas.ts'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared.ts'
import { type Scope, withinScope } from '../../scope.ts'
import { personalities } from '../catalogue/table.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import { recordColumns } from './find.ts'
import { assistantRecord, liteRecord } from './record.ts'
import { type ListQuery, sortFields } from './schema.ts'
import { assistantCounts, assistants } from './table.ts'

type Query = z.output<typeof ListQuery>

const sortColumns = { name: assistants.name, created_at: assistants.createdAt, user_id: assistants.userId }

interface Shape {
  scope: Scope
  sort: keyof typeof sortColumns
  order: 'asc' | 'desc'
  byName: boolean
  byPhone: boolean
}

/** `%` and `_` in what a caller looks for are characters, not wildcards. */
const contains = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

const filters = ({ scope, byName, byPhone }: Shape): SQL | undefined =>
  and(
    withinScope(scope, assistants),
    byName ? ilike(assistants.name, sql.placeholder('search')) : undefined,
    byPhone ? ilike(assistants.phoneNumber, sql.placeholder('phone')) : undefined,
  )

const pageQuery = (shape: Shape, key: string) =>
  preparedQuery(`assistants_page_${key}`, (db, name) => {
    const direction = shape.order === 'desc' ? desc : asc
    return db
      .select(recordColumns)
      .from(assistants)
      .leftJoin(personalities, eq(personalities.id, assistants.personalityId))
      .leftJoin(users, eq(users.id, assistants.userId))
      .where(filters(shape))
      .orderBy(direction(sortColumns[shape.sort]), direction(assistants.id))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset'))
      .prepare(name)
  })

/** Without filters the total is read from counters that a trigger keeps: it costs the same at any size. */
const totalQuery = (shape: Shape, key: string) =>
  preparedQuery(`assistants_total_${key}`, (db, name) =>
    shape.byName || shape.byPhone
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

interface ListQueries {
  page: ReturnType<typeof pageQuery>
  total: ReturnType<typeof totalQuery>
}

const queries = new Map<string, ListQueries>()

function queriesOf(shape: Shape): ListQueries {
  const key = [shape.scope.kind, shape.sort, shape.order, shape.byName ? 'n' : '', shape.byPhone ? 'p' : ''].join('_')
  const known = queries.get(key) ?? { page: pageQuery(shape, key), total: totalQuery(shape, key) }
  queries.set(key, known)
  return known
}

async function fetchPage(db: Database, shape: Shape, query: Query) {
  const { page, total } = queriesOf(shape)
  const values = {
    scope: shape.scope.id,
    search: contains(query.search ?? ''),
    phone: contains(query.phone_search ?? ''),
    limit: query.per_page,
    offset: (query.page - 1) * query.per_page,
  }
  const [rows, [counted]] = await Promise.all([page(db).execute(values), total(db).execute(values)])
  return { rows, total: Number(counted?.total ?? 0) }
}

/** A page of the caller's assistants (spec 1, GET /assistants). */
export async function listAssistants(ctx: AccountContext, query: Query) {
  const sort = sortFields.find((field) => field === query.sort_by) ?? 'name'
  const shape: Shape = {
    scope: ctx.scope,
    sort,
    order: query.sort_order,
    byName: Boolean(query.search),
    byPhone: Boolean(query.phone_search),
  }
  const { rows, total } = await fetchPage(ctx.db, shape, query)
  return {
    success: true as const,
    data: rows.map(query.lite ? liteRecord : assistantRecord),
    pagination: pagination(query, total, rows.length),
  }
}
