import { z } from 'zod'
import { mergeObjects } from '../../../json/merge.ts'
import { isObject, type Json, ownValue } from '../../../json/object.ts'
import { isFilling, isPlainName, nameIn, placeholder } from '../../mapping/placeholders.ts'
import { textOf } from '../../mapping/settings.ts'
import { type CallValues, timesAt } from '../../mapping/variables.ts'
import type { AssistantFields } from '../../schema/assistant.ts'
import { badRequest } from '../responses.ts'
import type { PlatformObject, PlatformStore } from '../store/store.ts'
import { nextPart } from './parts.ts'
import { type Tool, toolsOf } from './tools.ts'

export type Assistant = z.output<typeof AssistantFields>

/** Where a member of a squad may hand the call over to. */
export interface Handoff {
  assistantName: string
  message?: string
  description?: string
  transferMode?: string
}

/** An assistant that takes part in a call, with overrides applied and texts rendered. */
export interface Member {
  assistantId: string | undefined
  assistant: Assistant
  /** What its model may use. */
  tools: readonly Tool[]
}

/** Who may be handed a call. */
export interface Seat {
  name: string | undefined
  handoffs: readonly Handoff[]
  /** Who sits there, prepared when that is first asked. */
  member: () => Promise<Member>
}

/** Who answers a call. */
export interface Line {
  /** Who answers first; nobody where there is no seat. */
  first: Member | undefined
  /** All who may come to speak, beginning with the first. */
  seats: readonly Seat[]
  squadId: string | undefined
  phoneNumber: PlatformObject | undefined
}

/** A line on which nobody is, and which has no server. */
export const nobody: Line = { first: undefined, seats: [], squadId: undefined, phoneNumber: undefined }

/** Which assistant, squad or number is called. */
export interface Called {
  assistantId?: string
  assistant?: Assistant
  assistantOverrides?: Record<string, unknown>
  squadId?: string
  squad?: Json
  /** What is overridden for all members of the squad. */
  squadOverrides?: Record<string, unknown>
  phoneNumberId?: string
}

/** Characters that the values of one assistant's placeholders add to its texts at most. */
const maxFilled = 100_000

/** What fills a placeholder: nothing where it has no value, or where the values before took all the room. */
function filler(variables: Json, at: Date): (whole: string, inside: string) => string {
  let room = maxFilled
  const timeOf = timesAt(at)
  return (whole, inside) => {
    const name = nameIn(inside)
    const filled = ownValue(variables, name) ?? (isPlainName(name) ? undefined : timeOf(name))
    if (filled === undefined && !isPlainName(name)) return whole
    const value = isFilling(filled) ? String(filled) : ''
    if (value.length > room) return ''
    room -= value.length
    return value
  }
}

/** Every text with its placeholders filled. */
function rendered(value: unknown, fill: ReturnType<typeof filler>): unknown {
  if (typeof value === 'string') return value.replace(placeholder, fill)
  if (Array.isArray(value)) return value.map((item) => rendered(item, fill))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rendered(item, fill)]))
}

const spoken = ['firstMessage', 'endCallMessage', 'voicemailMessage', 'endCallPhrases', 'model']

/** An assistant's body with the placeholders in its texts filled: an assistant as it speaks. */
export function filled({ variableValues, ...fields }: Json, values: CallValues): Json {
  const fill = filler({ ...values.named, ...(isObject(variableValues) ? variableValues : {}) }, values.at)
  const texts = spoken.filter((name) => name in fields).map((name) => [name, rendered(fields[name], fill)] as const)
  return { ...fields, ...Object.fromEntries(texts) }
}

interface Setting {
  store: PlatformStore
  values: CallValues
}

/**
 * Where an assistant sits: it may be large, and most of a squad never speak. Stored bodies were validated when they
 * were sent.
 */
function seatOf(
  { store, values }: Setting,
  assistantId: string | undefined,
  layers: readonly unknown[],
  handoffs: readonly Handoff[] = [],
): Seat {
  const prepare = async (): Promise<Member> => {
    await nextPart()
    const assistant = filled(layers.reduce<Json>(mergeObjects, {}), values) as Assistant
    return { assistantId, assistant, tools: await toolsOf(store, assistant.model) }
  }
  let member: Promise<Member> | undefined
  const name = textOf(layers.filter(isObject).findLast((layer) => Object.hasOwn(layer, 'name'))?.name)
  return { name, handoffs, member: () => (member ??= prepare()) }
}

/** The assistants with these ids that there are: each is read once, and one in a turn of the event loop. */
async function assistantsOf(store: PlatformStore, ids: ReadonlySet<string>): Promise<Map<string, Json>> {
  const found = new Map<string, Json>()
  for (const id of ids) {
    await nextPart()
    const assistant = await store.find('assistant', id)
    if (assistant) found.set(id, assistant.body)
  }
  return found
}

async function seatsOf(setting: Setting, body: Json, overrides: unknown): Promise<Seat[]> {
  const members = (Array.isArray(body.members) ? body.members : []).filter(isObject)
  const ids = new Set(members.flatMap(({ assistantId }) => textOf(assistantId) ?? []))
  const assistants = await assistantsOf(setting.store, ids)
  return members.flatMap((member) => {
    const id = textOf(member.assistantId)
    const stored = id === undefined ? undefined : assistants.get(id)
    if (id !== undefined && !stored) return []
    const layers = [stored, member.assistant, member.assistantOverrides, body.membersOverrides, overrides]
    const handoffs = Array.isArray(member.assistantDestinations) ? member.assistantDestinations : []
    return seatOf(setting, id, layers, handoffs.filter(isObject) as unknown as Handoff[])
  })
}

/**
 * Who answers. A number's own routing decides when neither an assistant nor a squad is named; its target may be gone.
 * Throws 400 for a named object that does not exist.
 */
export async function lineOf(setting: Setting, called: Called): Promise<Line> {
  const { store } = setting
  const phoneNumber = await named(store, 'phone-number', called.phoneNumberId, 'phoneNumberId')
  const isNamed = called.assistantId ?? called.squadId ?? called.assistant ?? called.squad
  const { assistantId, squadId } =
    isNamed === undefined
      ? { assistantId: textOf(phoneNumber?.body.assistantId), squadId: textOf(phoneNumber?.body.squadId) }
      : called
  const find = async (kind: 'assistant' | 'squad', id: string | undefined) => {
    if (isNamed !== undefined) return named(store, kind, id, `${kind}Id`)
    return id === undefined ? undefined : await store.find(kind, id)
  }
  const assistant = await find('assistant', assistantId)
  const squad = await find('squad', squadId)
  const members = squad?.body ?? called.squad
  const seats = members
    ? await seatsOf(setting, members, called.squadOverrides)
    : assistant || called.assistant
      ? [seatOf(setting, assistant?.id, [assistant?.body, called.assistant, called.assistantOverrides])]
      : []
  return { first: await seats[0]?.member(), seats, squadId: squad?.id, phoneNumber }
}

async function named(store: PlatformStore, kind: string, id: string | undefined, field: string) {
  if (id === undefined) return undefined
  const found = z.guid().safeParse(id).success ? await store.find(kind, id) : null
  if (!found) throw badRequest(`${field} must be the id of an existing ${kind}.`)
  return found
}
