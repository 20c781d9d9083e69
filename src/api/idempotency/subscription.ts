import type { AccountContext, SubscriptionContext } from '../context.ts'
import { validationError } from '../errors/api-error.ts'
import { ErrorResponse, thrownByWrite, toApiError } from '../errors/error-response.ts'
import { errorReply, JsonReply, jsonResponse } from '../http/response.ts'
import { idempotent } from './replay.ts'

/** A failure as `idempotent` reads one, with what was thrown for all who wait for it. */
class Failure extends JsonReply {
  constructor(
    { status, headers, body }: JsonReply,
    readonly error: unknown,
  ) {
    super(status, headers, body)
  }
}

/**
 * What the work of a subscription gives, once for its Idempotency-Key: what is kept is the same as of any other POST
 * (but for input that its schema refuses, which comes before the key), and who asks while it streams joins it.
 * @param run its result is plain JSON
 * Throws what `run` throws, and the 422 and 409 of the key.
 */
export async function onceForKey<T>(ctx: SubscriptionContext, run: (ctx: AccountContext) => Promise<T>): Promise<T> {
  const { account, scope, meta, keyed } = ctx
  if (!keyed) return run(ctx)
  const beforeReplay = async (madeAs?: string) => {
    if (madeAs) await meta.beforeReplay?.(ctx, madeAs)
  }
  const reply = await idempotent(ctx, { ...keyed, beforeReplay }, async (served) => {
    try {
      return jsonResponse(served, 200, await run({ ...served, account, scope, meta }))
    } catch (error) {
      const failure = new ErrorResponse(toApiError(thrownByWrite(error)), meta.document ?? 'accounts')
      return new Failure(errorReply(served, failure), error)
    }
  })
  if (reply instanceof Failure) throw thrownByWrite(reply.error)
  const kept = JSON.parse(await reply.text())
  ctx.outcome.replayed = new Headers(reply.headers).has('idempotency-replayed')
  if (!reply.ok) throw validationError(kept.errors)
  return kept
}

/** Gives `events` once the first of them is there: by then it is known whether they are kept ones, as the head says. */
export async function begun<T>(events: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await events.next()
  async function* all() {
    try {
      for (let next = first; !next.done; next = await events.next()) yield next.value
    } finally {
      await events.return(undefined)
    }
  }
  return all()
}
