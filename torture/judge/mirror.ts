import { type Json, listAt, objectAt } from '../clients/api.ts'
import type { LiveKind, LiveObject, VoicePlatform } from '../outside/voice-platform.ts'
import type { State } from './state.ts'

type Objects = VoicePlatform['objects']

/** What two sides say about a record, by the names of the difference. */
type Sides = Record<string, [recorded: unknown, live: unknown]>

function compared(kind: string, label: unknown, live: LiveObject | undefined, sides: (body: Json) => Sides): string[] {
  if (!live) return [`live ${kind} of ${label} is missing`]
  return Object.entries(sides(live.body)).flatMap(([name, [recorded, told]]) =>
    (recorded ?? null) === (told ?? null)
      ? []
      : [`${kind} ${label} differs in ${name}: recorded ${JSON.stringify(recorded)}, live ${JSON.stringify(told)}`],
  )
}

const textsOf = (values: unknown[]) => values.map(String).join(', ')

/** The platform's objects that the records of this workspace and of earlier ones do not name. */
function orphans(objects: Objects, kind: LiveKind, known: ReadonlySet<unknown>): string[] {
  return [...objects[kind].values()]
    .filter(({ id }) => !known.has(id))
    .map(({ id, body }) => `live ${kind} ${body.name ?? id} has no record`)
}

/**
 * Where the records and the platform's objects are apart, references among them. `known` holds the ids of objects that
 * belong to other workspaces.
 */
export function divergences(state: State, objects: Objects, known: ReadonlySet<unknown>): string[] {
  const assistants = state.assistants.flatMap((record) =>
    compared('assistant', record.name, objects.assistant.get(String(record.voice_assistant_id)), (body) => ({
      name: [record.name, body.name],
      greeting: [record.first_message, body.firstMessage],
      reference: [record.assistant_id, objectAt(body, 'metadata').external_ref],
      'longest call': [record.max_duration_seconds, body.maxDurationSeconds],
    })),
  )
  const liveIds = new Map(state.assistants.map((record) => [record.assistant_id, record.voice_assistant_id]))
  const published = state.squads.filter(({ status }) => status === 'published')
  const squads = published.flatMap((record) =>
    compared('squad', record.name, objects.squad.get(String(record.external_squad_id)), (body) => ({
      name: [record.name, body.name],
      members: [
        textsOf(listAt(record, 'members').map(({ assistantId }) => liveIds.get(assistantId))),
        textsOf(listAt(body, 'members').map(({ assistantId }) => assistantId)),
      ],
    })),
  )
  const numbers = state.numbers.flatMap((record) => {
    const { voice_phone_number_id: liveId, phone_number: number } = record
    if (liveId === null) return [`number ${number} is not registered`]
    const found = compared('number', number, objects['phone-number'].get(String(liveId)), (body) => ({
      number: [number, body.number],
      name: [record.name, body.name],
      assistant: [record.voice_assistant_id, body.assistantId],
      squad: [record.voice_squad_id, body.squadId],
    }))
    return [...found, ...danglingTargets(record, objects)]
  })
  const idsOf = (records: Json[], name: string) => new Set([...known, ...records.map((record) => record[name])])
  return [
    ...assistants,
    ...squads,
    ...numbers,
    ...orphans(objects, 'assistant', idsOf(state.assistants, 'voice_assistant_id')),
    ...orphans(objects, 'squad', idsOf(state.squads, 'external_squad_id')),
    ...orphans(objects, 'phone-number', idsOf(state.numbers, 'voice_phone_number_id')),
  ]
}

/** What a number leads to has to be there. */
function danglingTargets(record: Json, objects: Objects): string[] {
  const { voice_assistant_id: assistant, voice_squad_id: squad, phone_number: number } = record
  const gone = (id: unknown, kind: LiveKind) => typeof id === 'string' && !objects[kind].has(id)
  return [
    ...(gone(assistant, 'assistant') ? [`number ${number} leads to an assistant that is gone`] : []),
    ...(gone(squad, 'squad') ? [`number ${number} leads to a squad that is gone`] : []),
  ]
}
