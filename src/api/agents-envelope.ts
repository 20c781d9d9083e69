import { z } from 'zod'
import { maxListed } from './paging/walk.ts'
import { cursor, nextCursor, pageNumber, perPage } from './schemas.ts'

/** The response bodies of the agent procedures, as schemas and as what routers put the results of services into. */

/** `page` and `per_page` of the lists of the agent endpoints (contract: rest 25), or `cursor` (contract: rest 35). */
export const listQuery = {
  page: pageNumber,
  per_page: perPage(50),
  cursor,
}

/** Where a list without pages goes on. */
export const rest = cursor.meta({
  description: `${cursor.description} At most ${maxListed} entries are listed at once.`,
  'x-extension': true,
})

/** `{object, data}`: one thing, as the agent procedures respond. */
export const responseOf = <Name extends string, T extends z.ZodType>(object: Name, data: T) =>
  z.object({ object: z.literal(object), data })
export const objectResponse = async <Name extends string, T>(object: Name, data: Promise<T>) => ({
  object,
  data: await data,
})

/** `{data}`. */
export const plainResponse = async <T>(data: Promise<T>) => ({ data: await data })

/** `{object: 'list', data[]}`. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ object: z.literal('list'), data: z.array(item) })
export const collectionResponse = async <T>(data: Promise<T[]>) => ({ object: 'list' as const, data: await data })

/** `{object: 'list', data[], has_more}`. */
export const pagedListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({ has_more: z.boolean().meta({ description: 'Whether there are entries after these.' }) })

/** `{object: 'list', data[], has_more, next_cursor}` of a list that has pages and can be walked by cursor. */
export const walkedListOf = <T extends z.ZodType>(item: T) => pagedListOf(item).extend({ next_cursor: nextCursor })

/** `{object: 'list', data[]}` of a list that has no pages and can be walked by cursor. */
export const wholeListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({
    has_more: z.literal(true).optional().meta({
      description: 'There are entries after these. Left out where there are none.',
      'x-extension': true,
    }),
    next_cursor: nextCursor,
  })

/** The body of each of these three, from `data` and what goes with it. */
export const pageResponse = async <T extends { data: unknown[] }>(page: Promise<T>) => ({
  object: 'list' as const,
  ...(await page),
})

/** `{object: '<name>.deleted', id, deleted}`. */
export const deletedOf = <Name extends string, Id extends z.ZodType>(name: Name, id: Id) =>
  z.object({ object: z.literal(`${name}.deleted`), id, deleted: z.literal(true) })
export const deletedResponse = async <Name extends string, Id>(name: Name, id: Promise<Id>) => ({
  object: `${name}.deleted` as const,
  id: await id,
  deleted: true as const,
})
