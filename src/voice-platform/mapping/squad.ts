import { isObject, type Json } from '../../json/object.ts'

import type { Settings } from './live-assistant.ts'
import { pick, present } from './settings.ts'
import { toVoicemailDetection } from './speech.ts'

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

/** Whether overrides change settings of an engine and leave open which one: the platform takes none without its provider. */
const isOpen = (settings: unknown): settings is Settings => isObject(settings) && !settings.provider

/** Overrides for the engines that an assistant has. */
function withEngines(overrides: Settings, engines: Engines): Settings {
  const open = engineParts.filter((part) => isOpen(overrides[part]))
  const whole = open.map((part) => {
    const selection = pick(present(engines[part]), selecting[part])
    return [part, { ...selection, ...present(overrides[part]) }] as const
  })
  return { ...overrides, ...Object.fromEntries(whole) }
}

/** Overrides with what has other names on the platform in its form. */
function toOverrides(overrides: Json | null | undefined): Settings {
  const { voicemailDetection: detection, ...rest } = present(overrides)
  if (detection === undefined) return rest
  const message = typeof rest.voicemailMessage === 'string' ? rest.voicemailMessage : null
  return { ...rest, voicemailDetection: isOpen(detection) ? toVoicemailDetection(detection, message) : detection }
}

/**
 * The platform's body for a squad. Positions, metadata and the destinations' local ids stay here. Overrides that leave an
 * engine's provider open go to each member with the engine that it has, as members may have several.
 */
export function toPlatformSquad(input: LiveSquadInput): LiveSquadBody {
  const { metadata, variableValues, ...forAll } = toOverrides(input.membersOverrides)
  const variables = { ...present(variableValues), ...present(input.variableValues) }
  const open = engineParts.filter((part) => isOpen(forAll[part]))
  const shared = Object.fromEntries(Object.entries(forAll).filter(([key]) => !open.some((part) => part === key)))
  return {
    name: input.name,
    members: input.members.map(({ liveId, engines, assistantOverrides, assistantDestinations }) => {
      const own = toOverrides(assistantOverrides)
      const opened = open.map((part) => [part, { ...present(own[part]), ...present(forAll[part]) }] as const)
      const overrides = withEngines({ ...own, ...Object.fromEntries(opened) }, engines)
      return {
        assistantId: liveId,
        ...((assistantOverrides || open.length > 0) && { assistantOverrides: overrides }),
        assistantDestinations: (assistantDestinations ?? []).map(toDestination),
      }
    }),
    membersOverrides: {
      ...shared,
      ...(Object.keys(variables).length > 0 && { variableValues: variables }),
      metadata: { ...(isObject(metadata) && metadata), external_ref: input.externalRef },
    },
  }
}
