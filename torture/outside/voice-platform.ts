import type { FaultOf, Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { lateMs } from '../times.ts'
import { breakRequest } from './break.ts'
import { type HttpRequest, json, startHttp } from './http.ts'

/** An object as the platform has it. */
export interface LiveObject {
  id: string
  createdAt: string
  updatedAt: string
  body: Record<string, unknown>
}

export const liveKinds = ['assistant', 'squad', 'phone-number'] as const
export type LiveKind = (typeof liveKinds)[number]

interface Result {
  status: number
  body: unknown
}

/** A request may be sent again by what lies between only when it is idempotent, and a read changes nothing. */
const fits: Partial<Record<FaultOf<'platform'>, readonly string[]>> = {
  double: ['PATCH', 'DELETE'],
  late: ['POST', 'PATCH', 'DELETE'],
  'drop after': ['POST', 'PATCH', 'DELETE'],
  '503 after': ['POST', 'PATCH', 'DELETE'],
}

const failure = (status: number, message: string): Result => ({ status, body: { message, statusCode: status } })
const shown = ({ body, ...stamps }: LiveObject) => ({ ...body, ...stamps, orgId: 'org' })
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A voice platform of its own, which knows nothing of the server's: it stores, patches and fails. */
export async function startVoicePlatform(faults: Faults, random: Random) {
  const objects: Record<LiveKind, Map<string, LiveObject>> = {
    assistant: new Map(),
    squad: new Map(),
    'phone-number': new Map(),
  }
  const late = new Set<ReturnType<typeof setTimeout>>()
  let clock = 0

  /** No two objects share a moment, so that pages by time are complete. */
  const moment = () => {
    clock = Math.max(clock + 1, Date.now())
    return new Date(clock).toISOString()
  }

  const create = (kind: LiveKind, sent: Record<string, unknown>): Result => {
    const all = objects[kind]
    const taken = kind === 'phone-number' && [...all.values()].some(({ body }) => body.number === sent.number)
    if (taken) return failure(400, 'This number is in use.')
    const at = moment()
    const body = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
    const made: LiveObject = { id: crypto.randomUUID(), createdAt: at, updatedAt: at, body }
    all.set(made.id, made)
    return { status: 201, body: shown(made) }
  }

  const patch = (stored: LiveObject, sent: Record<string, unknown>): Result => {
    const merged = Object.entries({ ...stored.body, ...sent }).filter(([, value]) => value !== null)
    stored.body = Object.fromEntries(merged)
    stored.updatedAt = moment()
    return { status: 200, body: shown(stored) }
  }

  const list = (kind: LiveKind, query: URLSearchParams): Result => {
    const from = query.get('createdAtGe') ?? ''
    const to = query.get('createdAtLe') ?? '~'
    const found = [...objects[kind].values()].filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    const newest = found.sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    return { status: 200, body: newest.slice(0, Number(query.get('limit') ?? 100)).map(shown) }
  }

  /** What a request does when nothing breaks it. */
  const perform = ({ method, path, query, body }: HttpRequest): Result => {
    const [, segment, id] = path.split('/')
    const kind = liveKinds.find((one) => one === segment)
    if (!kind) return { status: 200, body: [] }
    const sent: unknown = body === '' ? {} : JSON.parse(body)
    if (!isRecord(sent)) return failure(400, 'The body must be an object.')
    if (id === undefined) return method === 'POST' ? create(kind, sent) : list(kind, query)
    const stored = objects[kind].get(id)
    if (!stored) return failure(404, `Couldn't find ${kind}.`)
    if (method === 'PATCH') return patch(stored, sent)
    if (method === 'DELETE') objects[kind].delete(id)
    return { status: 200, body: shown(stored) }
  }

  const deliverLate = (request: HttpRequest) => {
    const timer = setTimeout(
      () => {
        late.delete(timer)
        faults.touch()
        perform(request)
      },
      random.between(...lateMs),
    )
    late.add(timer)
  }

  const answer = (request: HttpRequest) => {
    const { status, body } = perform(request)
    return json(status, body)
  }

  const http = await startHttp((request, reply) => {
    const fault = faults.take('platform', (one) => fits[one]?.includes(request.method) ?? true)
    if (fault) faults.count(`platform: ${fault}`)
    if (fault === 'late') {
      reply.drop()
      deliverLate(request)
    } else if (fault === undefined || fault === 'double') {
      reply.send(answer(request))
      if (fault) perform(request)
    } else {
      breakRequest(fault, () => answer(request), reply, random)
    }
  })

  return {
    url: http.url,
    objects,
    /** Writes that are still to be delivered. */
    late: () => late.size,
    stop() {
      for (const timer of late) clearTimeout(timer)
      http.stop()
    },
  }
}

export type VoicePlatform = Awaited<ReturnType<typeof startVoicePlatform>>
