import { z } from 'zod'
import { maxListed } from '../../api/paging/walk.ts'
import { cursor, nextCursor, pageNumber, perPage } from '../../api/schemas.ts'

/** Where a list without pages goes on. */
export const rest = cursor.meta({
  description: `${cursor.description} At most ${maxListed} entries are listed at once.`,
  'x-extension': true,
})

/** `{object, data}`: one thing, as the agent endpoints respond. */
export const responseOf = <Name extends string, T extends z.ZodType>(object: Name, data: T) =>
  z.object({ object: z.literal(object), data })

/** `{object: 'list', data[]}`. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ object: z.literal('list'), data: z.array(item) })

/** `{object: 'list', data[], has_more}`. */
export const pagedListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({ has_more: z.boolean().meta({ description: 'Whether there are entries after these.' }) })

/** The same of a list that can be walked by cursor. */
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

/** `{object: '<name>.deleted', id, deleted}`. */
export const deletedOf = <Name extends string, Id extends z.ZodType>(name: Name, id: Id) =>
  z.object({ object: z.literal(`${name}.deleted`), id, deleted: z.literal(true) })

/** `page` and `per_page` of the lists of the agent endpoints (contract: rest 25), or `cursor` (contract: rest 35). */
export const listQuery = {
  page: pageNumber,
  per_page: perPage(50),
  cursor,
}
