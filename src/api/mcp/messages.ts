import { isObject } from '../../json/object.ts'
import { parsedBytes } from '../../json/parsed.ts'
import { validationError } from '../errors/api-error.ts'

/** What the protocol's library takes in one batch; it refuses longer ones. */
const maxBatch = 100

/** Objects, lists and values of a request besides what is given to tools: no client says a tenth of it. */
const maxValues = 2_000

/** Whether something holds more values than may be. */
function isWide(value: unknown): boolean {
  const waiting = [value]
  let values = 0
  for (let at = 0; at < waiting.length; at++) {
    const next = waiting[at]
    if (typeof next !== 'object' || next === null) continue
    const held = Object.values(next)
    values += held.length
    if (values > maxValues) return true
    waiting.push(...held)
  }
  return false
}

/** A message without what it gives to a tool, which is judged where the tool is called. */
function envelopeOf(message: unknown): unknown {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return message
  const { arguments: _given, ...params } = message.params
  return { ...message, params }
}

/**
 * How many messages a body holds, for counting: what is no batch is one. Throws 422 for one of more values than
 * messages have, each of which the library would judge and name in its response.
 */
export function messagesIn(body: Uint8Array): number {
  // What is no JSON the library refuses, in the protocol's words.
  const value = parsedBytes(body)
  const messages = Array.isArray(value) ? value.slice(0, maxBatch) : [value]
  if (isWide(messages.map(envelopeOf))) {
    throw validationError({ body: [`The body must have at most ${maxValues} values besides the arguments of tools.`] })
  }
  return Math.max(1, messages.length)
}
