import type { Caller } from './cast.ts'
import type { Described } from './description.ts'
import { multipart } from './form.ts'
import { strangeHeaders } from './headers.ts'
import { fillPath, materialOf, queryOf } from './input.ts'
import { jsonText } from './json.ts'
import type { Lane } from './lane.ts'
import { brokenText, mutatedText } from './mutate.ts'
import type { Random } from './random.ts'
import type { FuzzRequest } from './request.ts'
import { type Material, sample } from './sample.ts'

const wrongTypes: readonly [string, ...string[]] = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-16',
  'application/json;;;',
  'APPLICATION/JSON',
  'application/json, text/plain',
  '*/*',
  'a/b/c',
]

/** A body of the schema, or the example of the description with parts of the schema over it. */
export function validBody(material: Material, { bodies }: Described, type: string): unknown {
  const { schema, example } = bodies[type] ?? { schema: {} }
  if (example !== undefined && material.random.chance(0.25)) {
    // Nothing is sent to a host that exists.
    return JSON.parse(JSON.stringify(example).replaceAll('example.com', 'fuzz.invalid'))
  }
  return sample(material, schema)
}

/** A request of an operation over REST: half of them as described, the others with something wrong. */
export function restRequest(
  lane: Lane,
  random: Random,
  number: number,
  caller: Caller,
  operation: Described,
): FuzzRequest {
  const material = materialOf(lane, random, caller)
  const { target, ...call } = fillPath(lane, random, caller, operation)
  const token = lane.cast.tokens[caller]
  const headers: [string, string][] = token === undefined ? [] : [['authorization', `Bearer ${token}`]]
  const types = Object.keys(operation.bodies)
  const type = random.pickAny(types)
  let body: FuzzRequest['body']
  let sent: unknown
  if (type === 'multipart/form-data') {
    const form = multipart(material, operation)
    headers.push(['content-type', form.type])
    body = form.body
  } else if (type !== undefined) {
    const valid = validBody(material, operation, type)
    const dice = random.next()
    if (dice < 0.5) {
      sent = valid
      body = jsonText(valid)
    } else body = dice < 0.93 ? mutatedText(random, valid) : brokenText(random, jsonText(valid))
    headers.push(['content-type', random.chance(0.03) ? random.pick(wrongTypes) : 'application/json'])
  }
  headers.push(...strangeHeaders(random))
  return {
    number,
    kind: 'rest',
    as: caller,
    method: operation.method,
    target: target + (type === undefined ? queryOf(material, operation.parameters) : ''),
    headers,
    body,
    calls: [{ operation, ...call, sent }],
    pieces: [],
    hangs: false,
  }
}
