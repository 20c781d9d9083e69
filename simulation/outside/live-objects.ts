import type { World } from '../world/world.ts'

export const liveKinds = ['assistant', 'squad', 'phone-number', 'tool'] as const
export type LiveKind = (typeof liveKinds)[number]
type Json = Record<string, unknown>

/** An object as the platform has it. */
export interface LiveObject {
  id: string
  kind: LiveKind
  createdAt: string
  updatedAt: string
  body: Json
}

/** One change of an object: what it was from `at` on; undefined when it was gone. */
interface Moment {
  at: number
  body: Json | undefined
  updatedAt: string
}

export interface PlatformRequest {
  method: string
  kind: LiveKind
  id: string | undefined
  query: URLSearchParams
  body: Json
}

export interface PlatformResponse {
  status: number
  body: unknown
}

/** Whose object it is, by our reference; undefined for one that we did not make. */
export function referenceOf({ kind, body }: LiveObject): string | undefined {
  const holder = kind === 'squad' ? Object(body.membersOverrides) : body
  const reference = Object(holder.metadata).external_ref
  return typeof reference === 'string' ? reference : undefined
}

const failure = (status: number, message: string): PlatformResponse => ({
  status,
  body: { message, statusCode: status },
})
const withoutNulls = (body: Json) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))

/** A random UUID of the world's. */
export function newId({ random }: World): string {
  const digits = Array.from({ length: 32 }, () => random().between(0, 15).toString(16)).join('')
  const variant = '89ab'[random().between(0, 3)]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}

/** What a voice platform keeps: it stores, patches and lists, and knows nothing of who asks. */
export function createLiveObjects(world: World) {
  const objects = new Map<string, LiveObject>()
  const moments = new Map<string, Moment[]>()
  /** The names that objects ever had. */
  const names = new Set<unknown>()
  let last = 0
  let writes = 0

  /** No two changes share a millisecond, so that pages by time are complete. */
  const moment = () => {
    last = Math.max(last + 1, Math.ceil(world.now()))
    return new Date(Date.parse('2030-01-01T00:00:00.000Z') + last).toISOString()
  }

  const remember = ({ id, body, updatedAt }: LiveObject, gone = false) => {
    writes += 1
    names.add(body.name)
    const known = moments.get(id) ?? []
    known.push({ at: world.now(), body: gone ? undefined : body, updatedAt })
    moments.set(id, known)
  }

  const shown = ({ id, createdAt, updatedAt }: LiveObject, body: Json) => ({
    ...body,
    id,
    createdAt,
    updatedAt,
    orgId: 'org',
  })

  const create = (kind: LiveKind, sent: Json): PlatformResponse => {
    const all = [...objects.values()].filter((one) => one.kind === kind)
    const taken = kind === 'phone-number' && all.some(({ body }) => body.number === sent.number)
    if (taken) return failure(400, 'This number is in use.')
    const at = moment()
    const made: LiveObject = { id: newId(world), kind, createdAt: at, updatedAt: at, body: withoutNulls(sent) }
    objects.set(made.id, made)
    remember(made)
    return { status: 201, body: shown(made, made.body) }
  }

  const patch = (stored: LiveObject, sent: Json) => {
    stored.body = withoutNulls({ ...stored.body, ...sent })
    stored.updatedAt = moment()
    remember(stored)
  }

  const remove = (stored: LiveObject) => {
    objects.delete(stored.id)
    remember(stored, true)
  }

  /** What lists show is up to `staleMs` late. */
  const list = (kind: LiveKind, query: URLSearchParams, staleMs: number): PlatformResponse => {
    const as = world.now() - staleMs
    const bound = (name: string, otherwise: string) => query.get(name) ?? otherwise
    const found: (Json & { createdAt: string; updatedAt: string })[] = []
    for (const [id, changes] of moments) {
      const then = changes.findLast(({ at }) => at <= as)
      const object = known.get(id)
      if (!then?.body || object?.kind !== kind) continue
      found.push({ ...shown({ ...object, updatedAt: then.updatedAt }, then.body) })
    }
    const within = found.filter(
      ({ createdAt, updatedAt }) =>
        createdAt >= bound('createdAtGe', '') &&
        createdAt <= bound('createdAtLe', '~') &&
        updatedAt >= bound('updatedAtGe', ''),
    )
    const newest = within.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    return { status: 200, body: newest.slice(0, Number(query.get('limit') ?? 100)) }
  }

  /** Every object that ever was. */
  const known = new Map<string, LiveObject>()

  return {
    all: objects as ReadonlyMap<string, LiveObject>,
    get writes() {
      return writes
    },
    /** Does what a request asks for. */
    perform({ method, kind, id, query, body }: PlatformRequest, staleMs = 0): PlatformResponse {
      if (id === undefined) {
        if (method !== 'POST') return list(kind, query, staleMs)
        const made = create(kind, body)
        for (const object of objects.values()) known.set(object.id, object)
        return made
      }
      const stored = objects.get(id)
      if (stored?.kind !== kind) return failure(404, `Couldn't find ${kind}.`)
      if (method === 'PATCH') patch(stored, body)
      if (method === 'DELETE') remove(stored)
      return { status: 200, body: shown(stored, stored.body) }
    },
    /** Whether any object had this name at some time. */
    wasCalled: (name: string) => names.has(name),
    /** Whether it was there at some time. */
    ever: (id: string) => known.get(id),
  }
}

export type LiveObjects = ReturnType<typeof createLiveObjects>
