import { z } from 'zod'
import { isObject, type Json, ownValue } from '../../../json/object.ts'
import { isPlainName, nameIn, placeholder } from '../../mapping/placeholders.ts'
import { textOf } from '../../mapping/settings.ts'
import type { AssistantFields } from '../../schema/assistant.ts'
import { badRequest } from '../responses.ts'
import type { PlatformObject, PlatformStore } from '../store/store.ts'
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
  handoffs: readonly Handoff[]
  /** What its model may use. */
  tools: readonly Tool[]
}

/** Who answers a call, the first member first; nobody when the list is empty. */
export interface Line {
  members: readonly Member[]
  squadId: string | undefined
  phoneNumber: PlatformObject | undefined
}

/** Which assistant, squad or number is called. */
export interface Called {
  assistantId?: string
  assistant?: Assistant
  assistantOverrides?: Record<string, unknown>
  squadId?: string
  phoneNumberId?: string
}

/** Objects merge key by key, everything else is replaced: how a squad's overrides are applied. */
function overridden(base: Json, overrides: unknown): Json {
  if (!isObject(overrides)) return base
  const merged = Object.entries(overrides).map(([key, value]) => {
    const stored = ownValue(base, key)
    return [key, isObject(stored) && isObject(value) ? overridden(stored, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(merged) }
}

/** Characters that the values of one assistant's placeholders add to its texts at most. */
const maxFilled = 100_000

/** What fills a placeholder: nothing where it has no value, or where the values before took all the room. */
function filler(variables: Json): (whole: string, inside: string) => string {
  let room = maxFilled
  return (whole, inside) => {
    const name = nameIn(inside)
    const filled = ownValue(variables, name)
    if (filled === undefined && !isPlainName(name)) return whole
    const value = String(filled ?? '')
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

/** What fills the placeholders of every text on a call, beside the variable values. */
export type CallValues = Readonly<Record<string, string>>

const spoken = ['firstMessage', 'endCallMessage', 'voicemailMessage', 'endCallPhrases', 'model']

/** An assistant's body with the placeholders in its texts filled: an assistant as it speaks. */
export function filled({ variableValues, ...fields }: Json, values: CallValues): Json {
  const fill = filler({ ...values, ...(isObject(variableValues) ? variableValues : {}) })
  const texts = spoken.filter((name) => name in fields).map((name) => [name, rendered(fields[name], fill)] as const)
  return { ...fields, ...Object.fromEntries(texts) }
}

interface Setting {
  store: PlatformStore
  values: CallValues
}

/** Stored bodies were validated when they were sent. */
async function memberOf(
  { store, values }: Setting,
  assistantId: string | undefined,
  layers: unknown[],
  handoffs: readonly Handoff[] = [],
): Promise<Member> {
  const assistant = filled(layers.reduce<Json>(overridden, {}), values) as Assistant
  return { assistantId, assistant, handoffs, tools: await toolsOf(store, assistant.model) }
}

async function squadMembers(setting: Setting, squad: PlatformObject): Promise<Member[]> {
  const { store } = setting
  const { members, membersOverrides } = squad.body
  const found = await Promise.all(
    (Array.isArray(members) ? members : []).filter(isObject).map(async (member) => {
      const id = textOf(member.assistantId)
      const stored = id === undefined ? null : await store.find('assistant', id)
      if (id !== undefined && !stored) return []
      const layers = [stored?.body, member.assistant, member.assistantOverrides, membersOverrides]
      const handoffs = Array.isArray(member.assistantDestinations) ? member.assistantDestinations : []
      return [await memberOf(setting, id, layers, handoffs.filter(isObject) as unknown as Handoff[])]
    }),
  )
  return found.flat()
}

/**
 * Who answers. A number's own routing decides when neither an assistant nor a squad is named; its target may be gone.
 * Throws 400 for a named object that does not exist.
 */
export async function lineOf(setting: Setting, called: Called): Promise<Line> {
  const { store } = setting
  const phoneNumber = await named(store, 'phone-number', called.phoneNumberId, 'phoneNumberId')
  const isNamed = called.assistantId ?? called.squadId ?? called.assistant
  const squadId = isNamed === undefined ? textOf(phoneNumber?.body.squadId) : called.squadId
  const assistantId = isNamed === undefined ? textOf(phoneNumber?.body.assistantId) : called.assistantId
  if (isNamed !== undefined) {
    await named(store, 'assistant', assistantId, 'assistantId')
    await named(store, 'squad', squadId, 'squadId')
  }
  const squad = squadId === undefined ? null : await store.find('squad', squadId)
  if (squad) return { members: await squadMembers(setting, squad), squadId: squad.id, phoneNumber }
  const assistant = assistantId === undefined ? null : await store.find('assistant', assistantId)
  const layers = [assistant?.body, called.assistant, called.assistantOverrides]
  const members = assistant || called.assistant ? [await memberOf(setting, assistant?.id, layers)] : []
  return { members, squadId: undefined, phoneNumber }
}

async function named(store: PlatformStore, kind: string, id: string | undefined, field: string) {
  if (id === undefined) return undefined
  const found = z.guid().safeParse(id).success ? await store.find(kind, id) : null
  if (!found) throw badRequest(`${field} must be the id of an existing ${kind}.`)
  return found
}
