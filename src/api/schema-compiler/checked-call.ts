import type { AnyProcedure } from '@trpc/server'
import { z } from 'zod'
import type { AccountContext, RequestContext, ServiceContext } from '../context.ts'
import { inRequestTime } from '../deadline.ts'
import { validationError } from '../errors/api-error.ts'
import { refusedInput, thrownByWrite } from '../errors/error-response.ts'
import { unstorable } from '../errors/validation.ts'
import { withoutIgnoredFields } from '../ignored-fields.ts'
import type { OperationMeta } from '../meta.ts'
import { isPaged } from '../paging/paged.ts'
import { inputWithoutUnchanged } from '../unchanged-parts.ts'
import { quickParse } from './compiled-schema.ts'

/** What is known of a call once its gates are passed and its input is read. */
export interface Call {
  /** A service that compares with a read need not have a standby, nor a time of its own for it. */
  ctx: ServiceContext & Partial<Pick<RequestContext, 'replica' | 'requestMs'> & Pick<AccountContext, 'account'>>
  input: unknown
  signal: AbortSignal
}

/** Refuses what the database cannot keep. Throws 422. */
export function refuseUnstorable(input: unknown, meta: OperationMeta): void {
  const refused = unstorable(input)
  if (refused) throw validationError(refused, meta.validationMessage)
}

interface Definition {
  meta?: OperationMeta
  inputs: readonly z.ZodType[]
  output?: z.ZodType
  middlewares: readonly unknown[]
  type: 'query' | 'mutation'
  resolver: (call: Call & { path: string }) => unknown
}

const rethrown = (error: unknown): never => {
  throw thrownByWrite(error)
}

/** The quick check of a schema; one that turns out to wait for something is waited for from then on. */
function checkerOf(schema: z.ZodType) {
  const quick = quickParse(schema)
  let waits = false
  return (input: unknown) => {
    try {
      if (!waits) return quick(input)
    } catch (error) {
      if (!(error instanceof z.core.$ZodAsyncError)) throw error
      waits = true
    }
    return schema.safeParseAsync(input)
  }
}

/**
 * A procedure as one function, for callers whose gates are passed: its input schema, its resolver, its output schema.
 * It does what tRPC's chain of middlewares does behind the guard, without the copies of the context that the chain
 * makes at every step (record 0008). Throws 404 or 422 for refused input, and whatever the resolver throws.
 */
export function checkedCall(path: string, procedure: AnyProcedure): (call: Call) => Promise<unknown> {
  const { meta = {}, inputs, output, middlewares, type, resolver } = procedure._def as unknown as Definition
  const [schema, ...more] = inputs
  const known = ['guard', schema && 'input', output && 'output', 'resolver'].filter(Boolean)
  if (more.length > 0 || middlewares.length !== known.length) {
    throw new Error(`${path} has a middleware that its REST face would leave out`)
  }
  const isList = type === 'query' && isPaged(schema)
  // What is in a file can only be checked by waiting for it.
  const check = schema && (meta.multipart ? schema.safeParseAsync : checkerOf(schema))
  return async ({ ctx, input, signal }) => {
    refuseUnstorable(input, meta)
    const sent = withoutIgnoredFields(input, meta, ctx.account)
    const first = await check?.(sent)
    const again =
      first?.error && (await inputWithoutUnchanged(ctx, ctx.account, meta, { input: sent, error: first.error }))
    const checked = again === undefined ? first : await check?.(again)
    if (checked && !checked.success) throw refusedInput(checked.error, meta)
    const run = async (ctx: ServiceContext) => resolver({ ctx, input: checked?.data, signal, path })
    const work = async () => (isList && ctx.replica ? ctx.replica.read((db) => run({ ...ctx, db })) : run(ctx))
    const timed = inRequestTime(work(), ctx.requestMs ?? 0, meta)
    const result = await (type === 'mutation' ? timed.catch(rethrown) : timed)
    return output ? output.parse(result) : result
  }
}
