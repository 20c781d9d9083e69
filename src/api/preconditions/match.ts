import type { Database, Executor } from '../../db/client.ts'
import type { AccountContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Operation } from '../operations.ts'
import { etagOf, namesTag } from './etag.ts'

/** What a write that was sent with If-Match is compared with. */
export interface Match {
  /** The header as it was sent. */
  readonly ifMatch: string
  /** The reads by the names of their procedures. */
  readonly reads: ReadonlyMap<string, Pick<Operation, 'call' | 'meta'>>
}

/** The condition of a request, or undefined when it sets none. */
export function matchOf(request: Request, reads: Match['reads']): Match | undefined {
  const ifMatch = request.headers.get('if-match')
  return ifMatch === null ? undefined : { ifMatch, reads }
}

/** A transaction in place of the database: services ask both in the same way. */
const asDatabase = (executor: Executor) => executor as Database

/**
 * Refuses a write whose If-Match names no current tag of the resource (contract: rest 32). Nothing is asked of a
 * request without the header. A service calls it where nobody else can write the resource until its own write is done:
 * as the only writer of the resource, or in the transaction that has locked its row.
 * @param input the values that the resource is read by
 * @param executor the transaction, where there is one
 * Throws 412, and what the read throws.
 */
export async function requireMatch(ctx: AccountContext, input: object, executor: Executor = ctx.db): Promise<void> {
  const { match, meta } = ctx
  if (!match || match.ifMatch.trim() === '*') return
  for (const name of meta.matches ?? []) {
    const read = match.reads.get(name)
    if (!read) throw new Error(`There is no read ${name} to match`)
    const own = { ...ctx, db: asDatabase(executor), meta: read.meta, match: undefined }
    const body = JSON.stringify(await read.call({ ctx: own, input, signal: ctx.signal }))
    if (namesTag(match.ifMatch, etagOf(body))) return
  }
  throw new ApiError('precondition_failed')
}

/**
 * A write of one row. With If-Match it runs in a transaction that first locks the row, so that nobody writes it between
 * the comparison and the write; without it, it is the statement alone.
 * @param lock locks the row until the transaction ends
 * Throws 412, and what `write` throws.
 */
export async function writeMatched<T>(
  ctx: AccountContext,
  input: object,
  lock: (tx: Executor) => PromiseLike<unknown>,
  write: (executor: Executor) => Promise<T>,
): Promise<T> {
  if (!ctx.match) return write(ctx.db)
  return ctx.db.transaction(async (tx) => {
    await lock(tx)
    await requireMatch(ctx, input, tx)
    return write(tx)
  })
}
