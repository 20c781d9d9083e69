import { isObject, type Json } from '../../../json/object.ts'
import type { CallableTool } from '../../converse.ts'
import { textOf, textsOf } from '../../mapping/settings.ts'
import type { PlatformStore } from '../store/store.ts'
import { closestTo } from './handoff.ts'
import type { Member } from './line.ts'

/** A tool as an assistant's model or the store has it. */
export type Tool = Json & { type: string }

/** One use of a tool, as messages name it; `arguments` is JSON. */
export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** Asks the server of a tool what it gives, or what went wrong. Never rejects. */
export type AskTool = (tool: Tool, call: ToolCall, member: Member) => Promise<string>

/** What using a tool did: what the model reads of it, and whether the call ends after what is said next. */
export interface ToolUse {
  result: string
  ends?: Ending
}

/** How a tool ends the call; `note` is for the model, and nothing that is said. */
export interface Ending {
  note: string
  reason: string
  destination?: Json | undefined
}

const isTool = (value: unknown): value is Tool => isObject(value) && typeof value.type === 'string'

/** The tools of a model: those that it names by their ids, and its own. One that is gone is left out. */
export async function toolsOf(store: PlatformStore, model: unknown): Promise<Tool[]> {
  if (!isObject(model)) return []
  const named = await Promise.all(textsOf(model.toolIds).map((id) => store.find('tool', id)))
  const inline = Array.isArray(model.tools) ? model.tools : []
  return [...named.flatMap((found) => found?.body ?? []), ...inline].filter(isTool)
}

const usableName = /^[\w-]{1,64}$/
const anything = { type: 'object', properties: {} }

const endCall = { name: 'endCall', description: 'Ends the call, once everything is said.', parameters: anything }

const placeOf = (destination: Json): string | undefined => textOf(destination.number) ?? textOf(destination.sipUri)

const destinationsOf = (tool: Tool): Json[] =>
  (Array.isArray(tool.destinations) ? tool.destinations : [])
    .filter(isObject)
    .filter((destination) => placeOf(destination) !== undefined)

/** Where the call goes may be left out: the only destination, or the one that the caller's words are about. */
function transferCall(tool: Tool, description = 'Transfers the call to someone else, another person.') {
  const destinations = destinationsOf(tool)
  const places = destinations.map((one) => [placeOf(one), textOf(one.description)].filter(Boolean).join(': '))
  return {
    name: 'transferCall',
    description: `${description} ${places.join('; ')}`,
    parameters: {
      type: 'object',
      properties: { destination: { type: 'string', enum: destinations.map(placeOf) } },
    },
  }
}

/**
 * The destination that a model names, else that which the caller does or whose description the caller's line is about.
 */
function destinationFor(tool: Tool, input: unknown, line: string): Json | undefined {
  const named = isObject(input) ? textOf(input.destination) : undefined
  const destinations = destinationsOf(tool)
  return (
    destinations.find((one) => placeOf(one) === named) ??
    destinations.find((one) => line.includes(placeOf(one) ?? '')) ??
    closestTo(line, destinations, (one) => textOf(one.description)) ??
    destinations[0]
  )
}

/** How a model is told of a tool; undefined for one that a simulated call cannot use. */
export function toldToModel(tool: Tool): Omit<CallableTool, 'call'> | undefined {
  const { name, description, parameters }: Json = isObject(tool.function) ? tool.function : {}
  const own = {
    ...(textOf(name) !== undefined && { name: String(name) }),
    ...(textOf(description) !== undefined && { description: String(description) }),
  }
  const told =
    tool.type === 'endCall'
      ? { ...endCall, ...own }
      : tool.type === 'transferCall' && destinationsOf(tool).length > 0
        ? { ...transferCall(tool, own.description), ...(own.name !== undefined && { name: own.name }) }
        : tool.type === 'function' && own.name !== undefined
          ? { name: own.name, description: '', ...own, parameters: isObject(parameters) ? parameters : anything }
          : undefined
  return told && usableName.test(told.name) ? told : undefined
}

const ending = (ends: Ending): ToolUse => ({ result: ends.note, ends })

/**
 * Uses a tool: the platform's own end or forward the call, a function is asked of its server.
 * @param line what the caller said last, which decides on the destination where the model does not
 */
export async function useTool(tool: Tool, input: unknown, line: string, ask: () => Promise<string>): Promise<ToolUse> {
  if (tool.type === 'endCall') return ending({ note: 'The call is ended.', reason: 'assistant-ended-call' })
  if (tool.type !== 'transferCall') return { result: await ask() }
  const destination = destinationFor(tool, input, line)
  return ending({ note: 'The call is transferred.', reason: 'assistant-forwarded-call', destination })
}
