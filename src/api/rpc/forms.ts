import type { AnyRouter } from '@trpc/server'
import { authenticate } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { errorResponseFor } from '../errors/error-response.ts'
import { mediaType } from '../http/body.ts'
import type { Reply } from '../http/response.ts'
import { idempotent } from '../idempotency/replay.ts'
import type { Operation } from '../operations.ts'
import { type Match, matchOf } from '../preconditions/match.ts'
import { formType } from '../rest/body-types.ts'
import { readFormInput } from '../rest/form-input.ts'
import { type TextField, textFields } from '../rest/input.ts'
import { isBatch, pathOf } from './batch.ts'
import { type FormCall, formCall } from './plain-calls.ts'

/** A procedure that takes a form over REST. */
interface FormTaker {
  operation: Operation
  fields: Map<string, TextField>
  call: FormCall
}

/** Serves a call whose input is a form, or leaves the request to others: then the result is undefined. */
export type FormCalls = (ctx: RequestContext, request: Request) => Promise<Reply> | undefined

/**
 * Makes what serves calls with multipart/form-data, of the procedures that take it over REST and as REST does: the
 * gates before the body, files to the disk, the fields of the form as the flat input. A batch has no such calls.
 */
export function formCalls(router: AnyRouter, operations: readonly Operation[], reads: Match['reads']): FormCalls {
  const takers = new Map<string, FormTaker>()
  for (const operation of operations) {
    const { name, meta, inputs } = operation
    const call = meta.multipart ? formCall(router, name) : undefined
    if (call) takers.set(`/trpc/${name}`, { operation, fields: textFields(inputs), call })
  }

  const serve = async (ctx: RequestContext, request: Request, taker: FormTaker) => {
    const { operation, fields, call } = taker
    const { name, meta } = operation
    ctx.outcome.operation = name
    try {
      const account = await authenticate(ctx, meta, async () => undefined)
      const match = meta.matches && matchOf(request, reads)
      const { input, fingerprint, remove } = await readFormInput(request, ctx, fields)
      try {
        const key = request.headers.get('idempotency-key')
        return await idempotent(ctx, { key, path: pathOf(request), body: fingerprint }, (keyed) =>
          call({ ...keyed, ...(match && { match }) }, request, { input, account }),
        )
      } finally {
        await remove()
      }
    } catch (error) {
      throw errorResponseFor(ctx, error, name, meta)
    }
  }

  return (ctx, request) => {
    if (request.method !== 'POST' || mediaType(request.headers.get('content-type')) !== formType) return undefined
    const url = new URL(request.url)
    const taker = isBatch(url) ? undefined : takers.get(url.pathname)
    return taker && serve(ctx, request, taker)
  }
}
