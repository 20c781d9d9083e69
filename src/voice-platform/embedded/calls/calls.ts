import { Elysia } from 'elysia'
import { z } from 'zod'
import { type EmbeddedContext, listFilter, publicForm, readJson } from '../resource.ts'
import { badRequest, notFound } from '../responses.ts'
import type { PlatformObject } from '../store/store.ts'
import { validate } from '../validate.ts'
import { CreateCall } from './schema.ts'
import type { Simulator } from './simulator.ts'
import type { CallStore } from './store.ts'

const uuid = z.guid()

/** An id of a path or a query. Throws 400 for what is none. */
export function idOf(id: string, name = 'id'): string {
  if (!uuid.safeParse(id).success) throw badRequest([`${name} must be a UUID`])
  return id
}

/** POST, GET /call and GET, DELETE /call/{id}: calls are simulated. */
export function callRoutes(context: EmbeddedContext, calls: CallStore, simulator: Simulator) {
  const response = (call: PlatformObject | null) => {
    if (!call) throw notFound("Couldn't find call.")
    return publicForm(call, context.orgId)
  }
  return new Elysia({ prefix: '/call' })
    .post(
      '',
      async ({ request, status }) => {
        const body = validate(CreateCall, await readJson(request))
        const { call } = await simulator.begin({ ...CreateCall.parse(body), direction: 'outbound' })
        return status(201, response(call))
      },
      { parse: 'none' },
    )
    .get('', async ({ query }) => {
      const { assistantId, phoneNumberId, id, ...common } = query
      const ids = { assistantId, phoneNumberId, id }
      // The real platform, too, gives nothing for an id that is none.
      if (Object.values(ids).some((value) => value !== undefined && !uuid.safeParse(value).success)) return []
      return (await calls.list({ ...listFilter(common), ...ids })).map(response)
    })
    .get('/:id', async ({ params }) => response(await calls.find(idOf(params.id))))
    .delete('/:id', async ({ params }) => response(await calls.remove(idOf(params.id))), { parse: 'none' })
}
