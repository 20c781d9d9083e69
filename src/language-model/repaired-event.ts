import { isObject, type Json } from '../json/object.ts'
import { parsedJson } from '../json/parsed.ts'

/** An event of a stream as its server sends it. */
interface SentEvent {
  event?: string | undefined
  data: string
}

/** The data with which a stream says that it is over. */
export const done = '[DONE]'

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

const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const

/**
 * What a server counted, also in digits; a 0 or nothing says nothing, nor does it take back what was counted before.
 */
function countedIn(usage: Json): Json {
  const counted = counts.map((name) => [name, Number(usage[name] ?? 0)] as const)
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}

/** Whether an event tells of a failure, in whatever form: the reply is not whole then. */
const isFault = ({ event }: SentEvent, said: Json): boolean =>
  Boolean(said.error) ||
  [event, said.type, said.object].includes('error') ||
  (!('choices' in said) && ('message' in said || 'detail' in said))

/**
 * Reads the events of one stream as they are meant: the data of each, of none for one that says nothing of the reply,
 * and of how the reply ended where the stream says that it is over and not why.
 */
export function repairing(): (sent: SentEvent) => string[] {
  let isBegun = false
  let isEnded = false
  let reason = 'stop'
  let counted: Json = {}
  const note = (choice: unknown) => {
    if (!isObject(choice)) return
    isBegun = true
    if (typeof choice.finish_reason === 'string') isEnded = true
    if (isObject(choice.delta) && Array.isArray(choice.delta.tool_calls) && choice.delta.tool_calls.length > 0)
      reason = 'tool_calls'
  }
  const usageOf = (usage: Json): Json => {
    const { prompt_tokens: _, completion_tokens: __, total_tokens: ___, ...rest } = usage
    counted = { ...counted, ...countedIn(usage) }
    return { ...rest, ...counted }
  }
  return (sent) => {
    const { data } = sent
    if (data === done) {
      const ending = { choices: [{ index: 0, delta: {}, finish_reason: reason }] }
      return isEnded || !isBegun ? [data] : [JSON.stringify(ending), data]
    }
    const said = data === '' ? {} : parsedJson(data)
    if (!isObject(said) || isFault(sent, said)) return [data]
    const { error: _, usage, choices: given, ...event } = said
    if (given === undefined && !isObject(usage)) return []
    const choices = Array.isArray(given) ? given : []
    for (const choice of choices) note(choice)
    const repaired = { ...event, choices: choices.map(choiceOf), ...(isObject(usage) && { usage: usageOf(usage) }) }
    return [JSON.stringify(repaired)]
  }
}
