import { authenticate, withAccount } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { errorResponseFor } from '../errors/error-response.ts'
import type { Operation } from '../operations.ts'

/** What an operation returned: its REST body, or the body of its error. */
export type Called = { ok: true; body: Record<string, unknown> } | { ok: false; body: Record<string, unknown> }

/**
 * Runs an operation as its REST face would: the same gates, checks and work, in the same order.
 * @param ctx the request's context; each call gets a copy, because several may run on one connection
 */
export async function callOperation(ctx: RequestContext, operation: Operation, input: object): Promise<Called> {
  const { meta, name } = operation
  const own = { ...ctx, outcome: { ...ctx.outcome } }
  try {
    const account = await authenticate(own, meta, async () => input)
    const body = await operation.call({ ctx: withAccount(own, account, meta), input, signal: ctx.signal })
    return { ok: true, body: body as Record<string, unknown> }
  } catch (error) {
    return { ok: false, body: errorResponseFor(own, error, name, meta).body }
  }
}
