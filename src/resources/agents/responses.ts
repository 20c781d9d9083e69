import { z } from 'zod'
import { offsetOf, pageNumber, perPage } from '../../api/schemas.ts'

/** `{object, data}`: one thing, as the agent endpoints respond. */
export const responseOf = <Name extends string, T extends z.ZodType>(object: Name, data: T) =>
  z.object({ object: z.literal(object), data })

/** `{object: 'list', data[]}`. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ object: z.literal('list'), data: z.array(item) })

/** `{object: 'list', data[], has_more}`. */
export const pagedListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({ has_more: z.boolean().meta({ description: 'Whether there are entries after these.' }) })

/** `{object: '<name>.deleted', id, deleted}`. */
export const deletedOf = <Name extends string, Id extends z.ZodType>(name: Name, id: Id) =>
  z.object({ object: z.literal(`${name}.deleted`), id, deleted: z.literal(true) })

/** `page` and `per_page` of the lists of the agent endpoints (contract: rest 25). */
export const listQuery = {
  page: pageNumber,
  per_page: perPage(50),
}

/** What of a list to read for one page: one entry more than it holds, so that `has_more` is known without counting. */
export const sliceOf = (query: { page: number; per_page: number }) => ({
  limit: query.per_page + 1,
  offset: offsetOf(query),
})

/** A page from the rows that `sliceOf` read. */
export const pageFrom = <Row, Entry>(rows: Row[], perPage: number, entry: (row: Row) => Entry) => ({
  data: rows.slice(0, perPage).map(entry),
  has_more: rows.length > perPage,
})
