import { z } from 'zod'
import { AssistantFields } from '../schema/assistant.ts'
import type { EmbeddedContext, ResourceDefinition } from './resource.ts'
import { badRequest } from './responses.ts'

const Overrides = AssistantFields.extend({
  variableValues: z.record(z.string(), z.unknown()).optional(),
  'tools:append': z.array(z.record(z.string(), z.unknown())).optional(),
})

const Destination = z.strictObject({
  type: z.literal('assistant'),
  assistantName: z.string(),
  message: z.string().optional(),
  description: z.string().optional(),
  transferMode: z
    .enum([
      'rolling-history',
      'swap-system-message-in-history',
      'swap-system-message-in-history-and-remove-transfer-tool-messages',
      'delete-history',
    ])
    .optional(),
})

const Member = z.strictObject({
  assistantId: z.string().nullish(),
  assistant: AssistantFields.optional(),
  assistantOverrides: Overrides.optional(),
  assistantDestinations: z.array(Destination).optional(),
})

/** A squad as it is told whole. */
export const SquadFields = z.strictObject({
  name: z.string().optional(),
  members: z.array(Member).min(1),
  membersOverrides: Overrides.optional(),
})

type WithStore = Pick<EmbeddedContext, 'store'>

/** The name under which a member answers; throws 400 for one that is no assistant. */
async function nameOf(member: z.output<typeof Member>, path: string, { store }: WithStore) {
  const { assistantId, assistant, assistantOverrides } = member
  if (!assistantId && !assistant) throw badRequest(`${path} must have an assistantId or an assistant.`)
  const found = assistantId && z.guid().safeParse(assistantId).success && (await store.find('assistant', assistantId))
  if (assistantId && !found) throw badRequest(`${path}.assistantId must be the id of an existing assistant.`)
  return assistantOverrides?.name ?? assistant?.name ?? (found ? found.body.name : undefined)
}

/** Throws 400 for members that are no assistants, or have the same name. */
export async function checkSquad(merged: Record<string, unknown>, context: WithStore) {
  const names = new Set<unknown>()
  for (const [index, member] of SquadFields.parse({ members: merged.members }).members.entries()) {
    const name = await nameOf(member, `members.${index}`, context)
    if (names.has(name)) throw badRequest(`members.${index} must have a name that no other member has.`)
    names.add(name)
  }
}

/** Squads: the first member answers. `members` is required on PATCH too. */
export const squads: ResourceDefinition = { kind: 'squad', create: SquadFields, update: SquadFields, check: checkSquad }
