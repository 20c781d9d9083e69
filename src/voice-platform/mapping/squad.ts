import { isObject, type Json } from '../../json/object.ts'

import { pick, present } from './settings.ts'

/** All that decides a squad's live state. */
export interface LiveSquadInput {
  /** Stamped into `membersOverrides.metadata.external_ref`: a squad has no metadata of its own on the platform. */
  externalRef: string
  name: string
  members: {
    /** The assistant's id on the platform. */
    liveId: string
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

/** The platform's body for a squad. Positions, metadata and the destinations' local ids stay here. */
export function toPlatformSquad(input: LiveSquadInput): LiveSquadBody {
  const { metadata, variableValues, ...overrides } = present(input.membersOverrides)
  const variables = { ...present(variableValues), ...present(input.variableValues) }
  return {
    name: input.name,
    members: input.members.map(({ liveId, assistantOverrides, assistantDestinations }) => ({
      assistantId: liveId,
      ...(assistantOverrides && { assistantOverrides: present(assistantOverrides) }),
      assistantDestinations: (assistantDestinations ?? []).map(toDestination),
    })),
    membersOverrides: {
      ...overrides,
      ...(Object.keys(variables).length > 0 && { variableValues: variables }),
      metadata: { ...(isObject(metadata) && metadata), external_ref: input.externalRef },
    },
  }
}
