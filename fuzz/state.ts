import { isDeepStrictEqual } from 'node:util'
import type { Caller } from './cast.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Lane } from './lane.ts'
import { idIn } from './pool.ts'
import type { Called } from './request.ts'

/** What changes without a request: work in the background. */
const moving = new Set(['last_used_at', 'indexed', 'extracted', 'reachable', 'tools_count', 'status', 'updated_at'])
/** What background work changes, and what is asked of others. */
const unread = /\/search$|\/drift\/scan$|\/content$|\/deliveries|\/calls$|\/stats$|\/available$|form-options$/

function withoutMoving(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoving)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (moving.has(key) ? [] : [[key, withoutMoving(member)]])),
  )
}

/** Reads what stands at a path, as somebody. */
export async function read(
  { target, cast }: Lane,
  as: Caller,
  path: string,
): Promise<{ status: number; body: unknown }> {
  const token = cast.tokens[as]
  const escaped = path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/')
  const response = await fetch(`${target.url}${escaped}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson ? JSON.parse(text) : undefined }
}

/** Whom to ask what a call's objects look like: who has them. */
export const readerOf = (as: Caller, { owner, operation }: Called): Caller =>
  operation.path.startsWith('/admin') ? 'operator' : (owner ?? (as === 'wrong' || as === 'nobody' ? 'ada' : as))

/** What can be read of the objects that a call is about: its path and those above it. */
export async function snapshot(lane: Lane, as: Caller, call: Called): Promise<Map<string, unknown>> {
  const template = call.operation.path.split('/')
  const filled = call.path.split('/')
  const kept = new Map<string, unknown>()
  for (let length = template.length; length > 1 && kept.size < 3; length--) {
    const place = template.slice(0, length).join('/')
    // Lists for operators show what is made for others meanwhile.
    if (/^\/admin\/[\w-]+$/.test(place)) continue
    if (unread.test(place) || !lane.description.find('GET', place)) continue
    const path = filled.slice(0, length).join('/')
    const { status, body } = await read(lane, readerOf(as, call), path)
    kept.set(path, { status, body: withoutMoving(body) })
  }
  return kept
}

/** Where two snapshots differ. */
export function difference(before: Map<string, unknown>, after: Map<string, unknown>): string | undefined {
  for (const [path, value] of before) {
    if (!isDeepStrictEqual(value, after.get(path))) return path
  }
  return undefined
}

const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** Fields that are heeded for some callers only, or read in another form. */
const unkept = new Set([
  // A number takes the public id of an assistant, too, and reads the live one.
  'voice_assistant_id',
  'user_id',
  'reseller_id',
  'backgroundSound',
  'type',
  'active',
  'payment_id',
  'prefix',
  'email_verified',
  'message',
  'content',
  // A budget without a limit is none, and money is kept to the millionth of a dollar.
  'window',
  'usd',
])

/** The first field that reads differently from what was accepted. */
export function changedField(sent: JsonObject, record: JsonObject): string | undefined {
  const spellings = Object.keys(sent).map(snake)
  for (const [key, value] of Object.entries(sent)) {
    // What is said twice, in two spellings, is decided by the contract and not here.
    if (spellings.filter((other) => other === snake(key)).length > 1) continue
    const name = key in record ? key : snake(key)
    if (!isPlain(value) || String(value).includes('{{') || !(name in record) || unkept.has(key)) continue
    const got = record[name]
    if (!isPlain(got) && got !== null) continue
    const wanted = typeof value === 'string' ? value.toWellFormed() : value
    if (String(got) !== String(wanted))
      return `${key}: ${JSON.stringify(wanted)?.slice(0, 80)} reads ${JSON.stringify(got)?.slice(0, 80)}`
  }
  return undefined
}

/** Where the object of an accepted write can be read. */
export function placeOf({ operation, path }: Called, body: unknown, lane: Lane): string | undefined {
  if (operation.method === 'PUT' || operation.method === 'PATCH') {
    if (!lane.description.find('GET', operation.path)) return undefined
    // What is published or renamed stands at another path from then on.
    const collection = path.slice(0, path.lastIndexOf('/'))
    const now = isObject(body) && operation.path.endsWith('}') ? idIn(collection, body.data) : undefined
    return now === undefined ? path : `${collection}/${now}`
  }
  const detail = lane.description.operations.find(
    (other) =>
      other.method === 'GET' &&
      other.path.startsWith(`${operation.path}/{`) &&
      !other.path.slice(operation.path.length + 1).includes('/'),
  )
  const id = isObject(body) ? idIn(operation.path, body.data) : undefined
  return detail && id !== undefined ? `${path}/${id}` : undefined
}
