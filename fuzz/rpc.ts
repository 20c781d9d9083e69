import type { Caller } from './cast.ts'
import type { Described } from './description.ts'
import { strangeHeaders } from './headers.ts'
import { type FilledPath, fillPath, materialOf } from './input.ts'
import { isObject, type JsonObject, jsonText } from './json.ts'
import type { Lane } from './lane.ts'
import { brokenText, mutatedText } from './mutate.ts'
import type { Random } from './random.ts'
import type { Called, FuzzRequest } from './request.ts'
import { validBody } from './rest.ts'
import { sample } from './sample.ts'

/** Operations that tRPC carries in the same way as others: not forms and downloads. */
export const isRpc = ({ procedure, bodies, path }: Described): boolean =>
  procedure !== undefined && bodies['multipart/form-data'] === undefined && !path.endsWith('/content')

interface Input {
  call: Called
  text: string
}

function inputOf(lane: Lane, random: Random, caller: Caller, operation: Described): Input {
  const material = materialOf(lane, random, caller)
  const { target: _target, ...filled }: FilledPath = fillPath(lane, random, caller, operation)
  const query: JsonObject = {}
  for (const { name, schema, in: place } of operation.parameters) {
    if (place === 'query' && random.chance(0.4)) query[name] = sample(material, schema, name)
  }
  const body = 'application/json' in operation.bodies ? validBody(material, operation, 'application/json') : query
  const integers = new Set(
    operation.parameters.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name),
  )
  const path = Object.entries(filled.values).map(([name, value]) => [name, integers.has(name) ? Number(value) : value])
  const values = Object.fromEntries(path)
  const valid = { ...(isObject(body) ? body : {}), ...values }
  const dice = random.next()
  const text = dice < 0.5 ? jsonText(valid) : mutatedInput(random, { caller, operation, valid, values })
  // What is made wrong may be the id: whose object it names is no longer known.
  if (dice < 0.5) return { call: { operation, ...filled, sent: body, routed: true }, text }
  return { call: { operation, ...filled, owner: undefined, sent: undefined, routed: true }, text }
}

/**
 * An input with something wrong in it. What an operator writes to stays what it is, and so does whom something is
 * shared with: a number put in its place by chance can be anybody's, and a user of another lane who is suspended so is
 * refused from then on, or sees what was shared so, whatever that lane does.
 */
function mutatedInput(
  random: Random,
  { caller, operation, valid, values }: { caller: Caller; operation: Described; valid: JsonObject; values: JsonObject },
): string {
  const text = mutatedText(random, valid)
  const whom: JsonObject = 'user_id' in values ? { user_id: values.user_id } : {}
  const kept = caller === 'operator' ? values : whom
  if (isRead(operation) || !text.startsWith('{') || Object.keys(kept).length === 0) return text
  const more = text === '{}' ? '' : ','
  // Of a key that is said twice the last one counts.
  return `${text.slice(0, -1)}${more}${jsonText(kept).slice(1)}`
}

/** A call over tRPC, or a batch of up to six. */
export function rpcRequest(
  lane: Lane,
  random: Random,
  number: number,
  caller: Caller,
  operation: Described,
): FuzzRequest {
  const token = lane.cast.tokens[caller]
  const headers: [string, string][] = token === undefined ? [] : [['authorization', `Bearer ${token}`]]
  const like = lane.description.operations.filter((other) => isRpc(other) && isRead(other) === isRead(operation))
  const others = random.chance(0.3) ? Array.from({ length: random.int(0, 5) }, () => random.pickAny(like)) : undefined
  const operations = [operation, ...(others ?? [])].flatMap((one) => (one && mayCall(caller, one) ? [one] : []))
  const inputs = operations.map((one) => inputOf(lane, random, caller, one))
  const isBatch = others !== undefined
  const all = inputs.map(({ text }, at) => `${JSON.stringify(String(at))}:${text}`).join(',')
  const whole = isBatch ? `{${all}}` : (inputs[0]?.text ?? '{}')
  const inQuery = isRead(operation)
  const sane = random.chance(0.96)
  // A server may end a connection over a longer line.
  const text = inQuery && whole.length > 8000 ? '{}' : sane ? whole : brokenText(random, whole)
  const changed = text !== whole
  const names = operations.map(({ procedure }) => procedure).join(',')
  const query = new URLSearchParams(isBatch ? { batch: '1' } : {})
  if (inQuery) query.set('input', text)
  else headers.push(['content-type', 'application/json'])
  headers.push(...strangeHeaders(random))
  return {
    number,
    kind: 'rpc',
    as: caller,
    method: inQuery ? 'GET' : 'POST',
    target: `/trpc/${names}${query.size > 0 ? `?${query}` : ''}`,
    headers,
    body: inQuery ? undefined : text,
    calls: inputs.map(({ call }) => ({
      ...call,
      ...((changed || isBatch) && { sent: undefined }),
      ...(changed && { owner: undefined }),
    })),
    pieces: [],
    hangs: false,
  }
}

const isRead = ({ method }: Described) => method === 'GET'

/** An operator writes to nothing but what operators have: others' objects stay their owners'. */
export const mayCall = (caller: Caller, { path, method }: Described): boolean =>
  caller !== 'operator' || method === 'GET' || path.startsWith('/admin')
