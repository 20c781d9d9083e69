import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject, type Json } from '../../json/object.ts'

import type { ManagedField, Settings } from './live-assistant.ts'
import { pick, present } from './settings.ts'
import { type MappingOptions, translated } from './translation.ts'

/** The parts of an assistant that a provider's engine runs, and what says which one. */
const selecting = {
  model: ['provider', 'model', 'url'],
  voice: ['provider', 'voiceId', 'model'],
  transcriber: ['provider', 'model'],
} as const

const engineParts = Object.keys(selecting) as (keyof typeof selecting)[]

/** The engines of an assistant, as its live body says them. */
export type Engines = Readonly<Partial<Record<keyof typeof selecting, unknown>>>

/** All that decides a squad's live state. */
export interface LiveSquadInput {
  /** Stamped into `membersOverrides.metadata.external_ref`: a squad has no metadata of its own on the platform. */
  externalRef: string
  name: string
  members: {
    /** The assistant's id on the platform. */
    liveId: string
    engines: Engines
    assistantOverrides?: Json | null
    assistantDestinations?: object[] | null
  }[]
  membersOverrides: Json | null
  variableValues: Json | null
  /** Those that `membersOverrides` go with; the ones that all members have unless given. */
  engines?: Engines
}

/** The *total* body, for POST and PATCH alike. */
export interface LiveSquadBody {
  name: string
  members: { assistantId: string; assistantOverrides?: Json; assistantDestinations: Json[] }[]
  membersOverrides: Json
}

const toDestination = (destination: object): Json => ({
  ...pick(present(destination), ['assistantName', 'message', 'description', 'transferMode']),
  type: 'assistant',
})

/**
 * Whether overrides change settings of an engine and leave open which one: the platform takes none without its
 * provider.
 */
const isOpen = (settings: unknown): settings is Settings => isObject(settings) && !settings.provider

/** Overrides for the engines of who they are for. */
function withEngines(overrides: Settings, engines: Engines): Settings {
  const open = engineParts.filter((part) => isOpen(overrides[part]))
  const whole = open.map((part) => {
    const selection = pick(present(engines[part]), selecting[part])
    return [part, { ...selection, ...present(overrides[part]) }] as const
  })
  return { ...overrides, ...Object.fromEntries(whole) }
}

/** The engines that all of these have. */
function sharedEngines([first = {}, ...others]: readonly Engines[]): Engines {
  const selectionOf = (part: keyof typeof selecting, engines: Engines) => pick(present(engines[part]), selecting[part])
  const shared = engineParts.filter((part) =>
    others.every((other) => Bun.deepEquals(selectionOf(part, other), selectionOf(part, first))),
  )
  return Object.fromEntries(shared.map((part) => [part, first[part]]))
}

/** The engines that overrides went with, as they were sent, and those of `engines` where none were. */
export const sentEngines = (sent: unknown, engines: Engines): Engines => {
  const found = present(sent)
  return Object.fromEntries(engineParts.map((part) => [part, isObject(found[part]) ? found[part] : engines[part]]))
}

/** Live overrides without what was sent with them to say which engine they are for, where `stored` leaves that open. */
export function withoutEngines(live: Settings, stored: unknown, sent: unknown): Settings {
  const parts = engineParts.flatMap((part): [string, unknown][] => {
    const [now, own, before] = [live[part], present(stored)[part], present(present(sent)[part])]
    if (!isObject(now) || !isOpen(own)) return []
    const isFilled = (key: string) =>
      selecting[part].some((one) => one === key) && !Object.hasOwn(own, key) && now[key] === before[key]
    return [[part, Object.fromEntries(Object.entries(now).filter(([key]) => !isFilled(key)))]]
  })
  return { ...live, ...Object.fromEntries(parts) }
}

/** What only overrides have, beside the fields of an assistant. */
const onlyOverridden: Record<Exclude<keyof Vapi.AssistantOverrides, ManagedField>, true> = {
  credentials: true,
  'tools:append': true,
  variableValues: true,
}

/**
 * Overrides in the platform's form, for the engines of who they are for; what the platform's have no field for stays
 * local.
 */
function toOverrides(overrides: Json | null | undefined, engines: Engines, options: MappingOptions): Settings {
  const whole = withEngines(present(overrides), engines)
  return { ...pick(whole, Object.keys(onlyOverridden)), ...translated(whole, options) }
}

/**
 * The platform's body for a squad. Positions, metadata and the destinations' local ids stay here. Overrides that leave
 * an engine's provider open go with the engine of their member, those of all members with the one that all have; where
 * there are several, the platform says that the provider is missing.
 */
export function toPlatformSquad(input: LiveSquadInput, options: MappingOptions): LiveSquadBody {
  const shared = input.engines ?? sharedEngines(input.members.map(({ engines }) => engines))
  const { metadata, variableValues, ...forAll } = toOverrides(input.membersOverrides, shared, options)
  const variables = { ...present(variableValues), ...present(input.variableValues) }
  return {
    name: input.name,
    members: input.members.map(({ liveId, engines, assistantOverrides, assistantDestinations }) => ({
      assistantId: liveId,
      ...(assistantOverrides && { assistantOverrides: toOverrides(assistantOverrides, engines, options) }),
      assistantDestinations: (assistantDestinations ?? []).map(toDestination),
    })),
    membersOverrides: {
      ...forAll,
      ...(Object.keys(variables).length > 0 && { variableValues: variables }),
      metadata: { ...(isObject(metadata) && metadata), external_ref: input.externalRef },
    },
  }
}
