import { authenticate, withAccount } from '../auth/gate.ts'
import type { Outcome, RequestContext } from '../context.ts'
import { errorResponseFor } from '../errors/error-response.ts'
import type { Operation } from '../operations.ts'

/** What an operation returned: its REST body and what it left besides, or the body of its error. */
export type Called =
  | { ok: true; body: Record<string, unknown>; outcome: Outcome }
  | { ok: false; body: Record<string, unknown> }

/**
 * Runs an operation as its REST face would: the same gates, checks and work, in the same order. The messages of one
 * request run a few at a time, and what they read together is bounded.
 * @param ctx the request's context; each call gets a copy, because several may run on one connection
 */
export async function callOperation(ctx: RequestContext, operation: Operation, input: object): Promise<Called> {
  const { meta, name } = operation
  const own = { ...ctx, outcome: { ...ctx.outcome } }
  let leave: (() => void) | undefined
  try {
    leave = await ctx.batch?.enter()
    const account = await authenticate(own, meta, async () => input)
    const body = await operation.call({ ctx: withAccount(own, account, meta), input, signal: ctx.signal })
    if (operation.type === 'query') ctx.batch?.weigh(JSON.stringify(body))
    return { ok: true, body: body as Record<string, unknown>, outcome: own.outcome }
  } catch (error) {
    return { ok: false, body: errorResponseFor(own, error, name, meta).body }
  } finally {
    leave?.()
  }
}
