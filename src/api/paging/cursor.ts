import { z } from 'zod'
import { SealedSecretError } from '../../secrets/vault.ts'
import type { AccountContext } from '../context.ts'
import { validationError } from '../errors/api-error.ts'

/** A value that a list is sorted by. */
export type Key = string | number

const Position = z.object({
  /** Of the last entry that was given; without them the list begins. */
  keys: z.array(z.union([z.string(), z.number()])).optional(),
  /** How many entries were given. */
  before: z.int(),
  /** How many there were at the beginning, where that is told. */
  total: z.int().optional(),
})

/** How far somebody is in a list. */
export interface Position {
  keys?: readonly Key[]
  before: number
  total?: number
}

interface Query {
  page: number
  per_page: number
  cursor?: string
}

type Caller = Pick<AccountContext, 'vault' | 'account' | 'meta'>

/** What a cursor is good for: the same list, with the same filters, of the same user. */
function contextOf({ account, meta }: Caller, { page: _page, per_page: _perPage, cursor: _cursor, ...filters }: Query) {
  const named = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return `cursor:${account.userId}:${meta.openapi?.path}:${JSON.stringify(named)}`
}

/** Where a request goes on: nowhere without `cursor`, at the beginning for an empty one. Throws 422 on `cursor`. */
export function positionIn(ctx: Caller, query: Query): Position | undefined {
  if (query.cursor === undefined) return undefined
  if (query.cursor === '') return { before: 0 }
  try {
    return Position.parse(JSON.parse(ctx.vault.open(query.cursor, contextOf(ctx, query))))
  } catch (error) {
    if (!(error instanceof SealedSecretError)) throw error
    const text = 'The cursor field must be empty, or the next_cursor of this list with the same filters.'
    throw validationError({ cursor: [text] })
  }
}

/**
 * The cursor of what comes after this position. It is sealed: it says nothing to its holder, and nobody can make one.
 */
export const nextCursor = (ctx: Caller, query: Query, position: Position): string =>
  ctx.vault.seal(JSON.stringify(position), contextOf(ctx, query))
