import { createParser } from 'eventsource-parser'
import { isObject, type Json } from '../json/object.ts'
import { parsedJson } from '../json/parsed.ts'

type Fetch = typeof globalThis.fetch

/** The arguments of a call as the text that they are, of a server that sends the object. */
function callOf(call: unknown): unknown {
  if (!isObject(call) || !isObject(call.function) || !isObject(call.function.arguments)) return call
  return { ...call, function: { ...call.function, arguments: JSON.stringify(call.function.arguments) } }
}

/** A delta without its role, which is the assistant's whatever a server calls it. */
function deltaOf({ role: _, tool_calls: calls, ...delta }: Json): Json {
  return { ...delta, ...(Array.isArray(calls) && { tool_calls: calls.map(callOf) }) }
}

const choiceOf = (choice: unknown) =>
  isObject(choice) && isObject(choice.delta) ? { ...choice, delta: deltaOf(choice.delta) } : choice

/** The data of one event as it is meant, and how its reply ended, where a stream says that it is over and not why. */
function repairing(): (data: string) => string[] {
  let isEnded = false
  let reason = 'stop'
  const note = (choice: unknown) => {
    if (!isObject(choice)) return
    if (typeof choice.finish_reason === 'string') isEnded = true
    if (isObject(choice.delta) && Array.isArray(choice.delta.tool_calls)) reason = 'tool_calls'
  }
  return (data) => {
    if (data === '[DONE]') {
      const ending = { choices: [{ index: 0, delta: {}, finish_reason: reason }] }
      return isEnded ? [data] : [JSON.stringify(ending), data]
    }
    const event = parsedJson(data)
    if (!isObject(event) || !('choices' in event)) return [data]
    const choices = Array.isArray(event.choices) ? event.choices : []
    for (const choice of choices) note(choice)
    return [JSON.stringify({ ...event, choices: choices.map(choiceOf) })]
  }
}

function repairedEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const repaired = repairing()
  const ready: string[] = []
  const parser = createParser({
    onEvent({ data }) {
      for (const line of repaired(data)) ready.push(`data: ${line}\n\n`)
    },
  })
  return new TransformStream({
    transform(bytes, controller) {
      parser.feed(decoder.decode(bytes, { stream: true }))
      if (ready.length > 0) controller.enqueue(encoder.encode(ready.splice(0).join('')))
    },
  })
}

/**
 * Takes the streams of servers that depart from the format where it is plain what they mean: one that ends in `[DONE]`
 * without a `finish_reason` is whole, `choices: null` is none, arguments of a call may be an object, and a role may have
 * any name. A stream that ends without `[DONE]` stays cut off.
 */
export function repairedStreams(fetch: Fetch): Fetch {
  const repaired = async (...[input, init]: Parameters<Fetch>) => {
    const response = await fetch(input, init)
    const { ok, status, statusText, headers, body } = response
    if (!ok || !body) return response
    return new Response(body.pipeThrough(repairedEvents()), { status, statusText, headers })
  }
  return Object.assign(repaired, { preconnect: fetch.preconnect })
}
