import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { checkPageWeight } from '../../../api/page-weight.ts'
import type { Key } from '../../../api/paging/cursor.ts'
import { pageOfList } from '../../../api/paging/walk.ts'
import { contains } from '../../../db/contains.ts'
import { type AssistantRecord, type AssistantType, type ListQuery, sortFields } from '../schema.ts'
import { type AssistantRowData, findRows } from './find.ts'
import { type Head, type ListQueries, type PageQuery, queriesOf, type Shape } from './list-queries.ts'
import { liteRecord } from './record.ts'
import { asRecord, writeRecord, writtenOf } from './written.ts'

/** What a list asks for; only the v2 list asks for a type. */
type Query = Omit<z.output<typeof ListQuery>, 'lite'> & { type?: AssistantType | null }

/** So few rows are never more than a server has room for. */
const uncheckedRows = 25

/** What tells where a row stands in a list. */
type Sorted = Pick<AssistantRowData, 'id' | 'name' | 'createdAt' | 'userId'>

const keyOf: Record<Shape['sort'], (row: Sorted) => Key> = {
  name: ({ name }) => name,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  user_id: ({ userId }) => userId,
}

/**
 * The rows of a page of the caller's assistants, and its pagination.
 * Throws 422 on `per_page` when they are too large for one response, and on `cursor`.
 * @param reading which of the queries reads the rows
 */
export function findPage<Row extends Sorted>(
  ctx: AccountContext,
  query: Query,
  reading: (queries: ListQueries) => PageQuery<Row>,
) {
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
  return pageOfList<Row>(ctx, query, {
    async read({ after, limit, offset }) {
      const [key = null, lastId = null] = after ?? []
      const values = { ...asked, limit, offset, key, lastId }
      const queries = queriesOf({ ...shape, goesOn: after !== undefined })
      if (limit > uncheckedRows) {
        const [weighed] = await queries.size(ctx.db).execute(values)
        checkPageWeight(weighed?.bytes ?? 0)
      }
      return reading(queries)(ctx.db, values)
    },
    keysOf: (row) => [keyOf[sort](row), row.id],
    async total() {
      const [counted] = await queriesOf(shape).total(ctx.db).execute(asked)
      return Number(counted?.total ?? 0)
    },
  })
}

/** The records of a page; rows are read of those alone that are not written already, or have changed since. */
async function recordsOf(ctx: AccountContext, heads: readonly Head[]): Promise<AssistantRecord[]> {
  const known = heads.map((head) => writtenOf(ctx, head.assistantId, head))
  const unknown = heads.filter((_head, index) => !known[index]).map(({ id }) => id)
  const rows = unknown.length > 0 ? await findRows(ctx.db, ctx.scope, unknown) : []
  const made = new Map(rows.map((row) => [row.id, writeRecord(ctx, row)]))
  // What was deleted meanwhile is left out.
  return heads.flatMap(({ id }, index) => {
    const written = known[index] ?? made.get(id)
    return written ? [asRecord(ctx, written)] : []
  })
}

/** A page of the caller's assistants (contract: assistants 5). */
export async function listAssistants(ctx: AccountContext, query: z.output<typeof ListQuery>) {
  if (query.lite) {
    const { rows, pagination } = await findPage(ctx, query, ({ page }) => page)
    return { data: rows.map(liteRecord), pagination }
  }
  const { rows, pagination } = await findPage(ctx, query, ({ heads }) => heads)
  return { data: await recordsOf(ctx, rows), pagination }
}
