import { Elysia } from 'elysia'
import { type ZodType, z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { badRequest, notFound } from './responses.ts'
import type { Bounds, PlatformObject, PlatformStore, StoreFilter } from './store/store.ts'
import { validate } from './validate.ts'

/** What every resource of the embedded platform works with. */
export interface EmbeddedContext {
  store: PlatformStore
  clock: Clock
  /** Makes a UUID. */
  newId: () => string
  orgId: string
}

/** One kind of object: its path segment and what its bodies must look like. */
export interface ResourceDefinition {
  kind: string
  create: ZodType
  update: ZodType
  /**
   * The rules that other objects, or the stored one on PATCH, have a say in; `merged` is what the object would become.
   * Throws {@link PlatformResponse}.
   */
  check?(merged: Record<string, unknown>, context: EmbeddedContext, stored: PlatformObject | null): Promise<void>
  /** What is kept of a body that was sent to create one, and what is added to it. */
  keep?(body: Record<string, unknown>): Record<string, unknown>
}

/** The object as the API returns it. */
export function publicForm({ id, body, createdAt, updatedAt }: PlatformObject, orgId: string) {
  return { ...body, id, orgId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

const Time = z.iso.datetime({ offset: true, error: 'must be a valid ISO 8601 date string' }).optional()

const ListQuery = z.strictObject({
  limit: z.coerce.number().min(0).max(1000).default(100),
  createdAtGt: Time,
  createdAtGe: Time,
  createdAtLt: Time,
  createdAtLe: Time,
  updatedAtGt: Time,
  updatedAtGe: Time,
  updatedAtLt: Time,
  updatedAtLe: Time,
})

/** Reads and checks the filters of a list. */
export function listFilter(query: Record<string, string>): StoreFilter {
  validate(ListQuery, query)
  const { limit, ...times } = ListQuery.parse(query)
  const at = (time: string | undefined) => (time === undefined ? undefined : new Date(time))
  const bounds = (name: 'createdAt' | 'updatedAt'): Bounds => ({
    gt: at(times[`${name}Gt`]),
    ge: at(times[`${name}Ge`]),
    lt: at(times[`${name}Lt`]),
    le: at(times[`${name}Le`]),
  })
  return { limit, createdAt: bounds('createdAt'), updatedAt: bounds('updatedAt') }
}

/** The parsed JSON body; throws 400 for anything else. */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw badRequest('The request body is not valid JSON.')
  }
}

const uuid = z.guid()

/** The routes that assistants, squads and phone numbers share: create, list, get, shallow PATCH, delete. */
export function resourceRoutes(definition: ResourceDefinition, context: EmbeddedContext) {
  const { kind, create, update, check, keep = (body) => body } = definition
  const { store, clock, newId, orgId } = context
  const response = (object: PlatformObject | null) => {
    if (!object) throw notFound(`Couldn't find ${kind}.`)
    return publicForm(object, orgId)
  }
  const idOf = (id: string) => {
    if (!uuid.safeParse(id).success) throw badRequest(['id must be a UUID'])
    return id
  }
  return new Elysia({ prefix: `/${kind}` })
    .post(
      '',
      async ({ request, status }) => {
        const body = keep(validate(create, await readJson(request)))
        await check?.(body, context, null)
        const at = clock.now()
        const object = { id: newId(), kind, body, createdAt: at, updatedAt: at }
        await store.insert(object)
        return status(201, response(object))
      },
      { parse: 'none' },
    )
    .get('', async ({ query }) => (await store.list(kind, listFilter(query))).map(response))
    .get('/:id', async ({ params }) => response(await store.find(kind, idOf(params.id))))
    .patch(
      '/:id',
      async ({ params, request }) => {
        const id = idOf(params.id)
        const sent = validate(update, await readJson(request))
        if (check) {
          const stored = await store.find(kind, id)
          if (stored) await check({ ...stored.body, ...sent }, context, stored)
        }
        const body = Object.entries(sent)
        const set = Object.fromEntries(body.filter(([, value]) => value !== null))
        const unset = body.filter(([, value]) => value === null).map(([name]) => name)
        return response(await store.patch(kind, id, { set, unset, at: clock.now() }))
      },
      { parse: 'none' },
    )
    .delete('/:id', async ({ params }) => response(await store.remove(kind, idOf(params.id))))
}
