import { initTRPC, TRPCError } from '@trpc/server'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import { z } from 'zod'
import type { Account } from '../accounts/account.ts'
import { type Added, addedFor, authenticate } from './auth/gate.ts'
import type { RequestContext } from './context.ts'
import { inRequestTime } from './deadline.ts'
import { ApiError } from './errors/api-error.ts'
import {
  type ErrorResponse,
  errorResponseFor,
  errorResponseOf,
  refusedInput,
  thrownByWrite,
} from './errors/error-response.ts'
import { useOurTexts } from './errors/validation.ts'
import { idOfCall } from './idempotency/replay.ts'
import { withoutIgnoredFields } from './ignored-fields.ts'
import type { OperationMeta } from './meta.ts'
import { linesType } from './rpc/batch.ts'
import { refuseUnstorable } from './schema-compiler/checked-call.ts'
import { pingMs } from './stream/event-stream.ts'
import { inputWithoutUnchanged } from './unchanged-parts.ts'

useOurTexts()

const codes: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
}

const t = initTRPC
  .context<RequestContext>()
  .meta<OperationMeta>()
  .create({
    isDev: false,
    jsonl: { contentType: linesType, pingMs },
    sse: { ping: { enabled: true, intervalMs: pingMs } },
    errorFormatter({ shape, error, path }) {
      const failure = errorResponseOf(error).forOperation(path)
      return {
        ...shape,
        message: failure.message,
        data: { code: shape.data.code, path: shape.data.path, httpStatus: failure.status, body: failure.body },
      }
    },
  })

export const { router } = t

/** A failure as tRPC throws it. */
export const carried = (failure: ErrorResponse) =>
  new TRPCError({ code: codes[failure.status] ?? 'INTERNAL_SERVER_ERROR', message: failure.message, cause: failure })

/** What a call threw, as tRPC throws it; what is our own fault is logged. */
export function failedCall(ctx: RequestContext, error: unknown, path: string, meta: OperationMeta): TRPCError {
  const failure = errorResponseFor(ctx, error, path, meta)
  ctx.outcome.unknown ||= failure.outcomeUnknown
  return carried(failure)
}

/** The issues of an input that tRPC refused, or undefined for any other failure. */
function refusalIn(error: unknown): z.core.$ZodError | undefined {
  const cause = error instanceof TRPCError && error.code === 'BAD_REQUEST' ? error.cause : undefined
  return cause instanceof z.core.$ZodError ? cause : undefined
}

/**
 * The one reader of a procedure's metadata in tRPC's own chain: lets the caller in, refuses input that cannot be
 * stored, and turns whatever goes wrong into the body and status that both faces respond with.
 */
const guarded = <Context extends Partial<Added>>(
  added: (ctx: RequestContext, account: Account | undefined, meta: OperationMeta) => Context,
) =>
  t.procedure.use(async ({ ctx, meta = {}, next, getRawInput, path, type, batchIndex, signal = ctx.signal }) => {
    // Whoever takes no more of the lines has left, although the request goes on.
    const heard = { ...ctx, signal, idempotencyId: idOfCall(ctx, batchIndex) }
    const failed = (error: unknown) => {
      const refused = refusalIn(error)
      return failedCall(heard, refused ? refusedInput(refused, meta) : error, path, meta)
    }
    ctx.outcome.operation = path
    let leave: (() => void) | undefined
    try {
      leave = await ctx.batch?.enter()
      const account = await authenticate(ctx, meta, getRawInput)
      const input = await getRawInput()
      refuseUnstorable(input, meta)
      const own = { ...heard, ...added(heard, account, meta) }
      const attempt = (checked: unknown) => {
        const read = { getRawInput: async () => checked }
        const work = next({ ctx: own, ...read })
        return inRequestTime(work, ctx.requestMs, meta).catch((error: unknown) => ({ ok: false as const, error }))
      }
      const sent = withoutIgnoredFields(input, meta, account)
      const first = await attempt(sent)
      const refused = first.ok ? undefined : refusalIn(first.error)
      const again = refused && (await inputWithoutUnchanged(heard, account, meta, { input: sent, error: refused }))
      const result = again === undefined ? first : await attempt(again)
      if (!result.ok) throw type === 'mutation' ? thrownByWrite(result.error) : result.error
      ctx.batch?.weigh(JSON.stringify(result.data) ?? '')
      if (type === 'subscription') result.data = withFailures(result.data as AsyncIterable<unknown>, failed)
      return result
    } catch (error) {
      throw failed(error)
    } finally {
      leave?.()
    }
  })

/** The events of a subscription, whose errors come long after its procedure has returned. */
async function* withFailures(events: AsyncIterable<unknown>, failed: (error: unknown) => Error) {
  try {
    yield* events
  } catch (error) {
    throw failed(thrownByWrite(error))
  }
}

const withAccount = () =>
  guarded((ctx, account, meta): Added => {
    if (!account) throw new ApiError('unauthenticated')
    return addedFor(ctx, account, meta)
  })

/** Asks for no token. */
export const publicProcedure = guarded((_ctx, _account, meta) => ({ meta })).meta({ access: 'public' })

/** Asks for a token; scope, feature and permission come from the metadata. */
export const workspaceProcedure = withAccount().meta({ access: 'token' })

/** Asks for an operator's token (role `admin`). */
export const operatorProcedure = withAccount().meta({ access: 'operator' })
