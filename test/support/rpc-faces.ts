import type { AnyRouter } from '@trpc/server'
import { serveWith } from '../../src/api/http/request.ts'
import { rpcHandler } from '../../src/api/rpc/handler.ts'
import { plainCalls } from '../../src/api/rpc/plain-calls.ts'
import type { Dependencies } from '../../src/app/dependencies.ts'
import { appRouter } from '../../src/router.ts'
import { loopback } from './connections.ts'

/** tRPC as it is served, over some router. */
export interface Face {
  answer(request: Request): Promise<Response>
  /** Requests that tRPC's handler had no part in. */
  taken: number
}

/** @param isOwn whether plain calls run without tRPC's handler, as they do */
export const faceOf = (services: Dependencies, served: AnyRouter, isOwn: boolean): Face => {
  const plain = plainCalls(served)
  const face: Face = { taken: 0, answer: (request) => handle({ request }) }
  const handle = serveWith(
    services,
    loopback,
  )(
    rpcHandler(served, (ctx, request, body) => {
      const taken = isOwn ? plain(ctx, request, body) : undefined
      if (taken) face.taken += 1
      return taken
    }),
  )
  return face
}

/** The same router on the same services, with and without the calls that are answered here. */
export const facesOf = (services: Dependencies, served: AnyRouter = appRouter) => ({
  own: faceOf(services, served, true),
  official: faceOf(services, served, false),
})
