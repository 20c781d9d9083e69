import { requireAccount } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import type { OperationMeta } from '../meta.ts'
import { namesIn } from './batch.ts'

/** The procedures of a router, by their names. */
export type Definitions = Record<string, { _def: { meta?: OperationMeta; type?: string } }>

/** The method of procedures of a type; subscriptions take either. */
const methods = new Map([
  ['query', 'GET'],
  ['mutation', 'POST'],
])

/**
 * The procedures that a request calls with another method than theirs. HEAD has a response whatever they are (contract:
 * rest 41).
 */
const calledOtherwise = (definitions: Definitions, request: Request) =>
  namesIn(request).flatMap((name) => {
    const { type = '', meta = {} } = definitions[name]?._def ?? {}
    const method = methods.get(type)
    return method && request.method !== 'HEAD' && request.method !== method ? [{ meta, method }] : []
  })

/** Throws 401 before tRPC says that the method is not that of a procedure (contract: rest 7). */
export async function requireCaller(definitions: Definitions, request: Request, ctx: RequestContext): Promise<void> {
  const isClosed = calledOtherwise(definitions, request).some(({ meta }) => meta.access !== 'public')
  if (isClosed) await requireAccount(ctx)
}

/** The method with which tRPC takes a refusal for what a request calls. */
export const methodOfRefusal = (definitions: Definitions, request: Request): string =>
  calledOtherwise(definitions, request)[0]?.method ?? request.method
