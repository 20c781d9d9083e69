import { z } from 'zod'
import { responseSchema } from '../../api/response-schema.ts'
import {
  clearable,
  dataOf,
  integerId,
  isoTime,
  pageOf,
  pageQuery,
  requiredError,
  requiredText,
  text,
} from '../../api/schemas.ts'
import { Keep, reconciledOf } from '../reconcile/schema.ts'

const openObject = z.record(z.string(), z.unknown())

const transferModes = [
  'rolling-history',
  'swap-system-message-in-history',
  'swap-system-message-in-history-and-remove-transfer-tool-messages',
  'delete-history',
] as const

const Destination = z.object({
  type: clearable(z.literal('assistant')),
  assistantName: requiredText(255),
  message: clearable(text(1000)).meta({ description: 'Said while transferring.' }),
  description: clearable(text(2000)).meta({ description: 'When the transfer should happen.' }),
  transferMode: clearable(z.enum(transferModes)),
  assistantId: clearable(text(255)).meta({ description: 'Kept here; the platform is told the name.' }),
})

const Member = z.object({
  assistantId: z.guid({ error: requiredError }).toLowerCase().meta({ description: 'The public id of an assistant.' }),
  assistantOverrides: clearable(openObject).meta({ description: 'Applied while this member is live.' }),
  assistantDestinations: clearable(z.array(Destination).max(100)).meta({ description: 'Handoff targets.' }),
  position: clearable(z.object({ x: clearable(z.number()), y: clearable(z.number()) })).meta({
    description: 'On a canvas; kept here only.',
  }),
})

/** A member as it is kept: what was sent, with the assistant's public id. */
export const StoredMember = responseSchema(Member)
export type StoredMember = z.output<typeof Member>

const shape = {
  name: requiredText(100),
  user_id: clearable(integerId).meta({ description: 'The owner; honoured for admin roles only.' }),
  membersOverrides: clearable(openObject).meta({ description: 'Applied to every member.' }),
  variableValues: clearable(openObject).meta({ description: 'Shared template variables.' }),
  metadata: clearable(openObject).meta({ description: 'Kept here only.' }),
}

const person = z.object({ id: z.int(), name: z.string(), email: z.string() })

/** The squad record (contract: squads 1). */
const Squad = z
  .object({
    name: z.string(),
    external_squad_id: z.string().meta({
      description: 'The live id, or `draft_<slug>` of a draft.',
      examples: ['3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'],
    }),
    status: z.enum(['draft', 'published']).meta({ examples: ['published'] }),
    user_id: z.int(),
    created_by: z.int(),
    reseller_id: z.string(),
    workspace_id: z.int(),
    members: z.array(StoredMember),
    members_overrides: openObject.nullable(),
    variable_values: openObject.nullable(),
    metadata: openObject.nullable(),
    created_at: isoTime,
    updated_at: isoTime,
    user: person,
    creator: person.nullable(),
    memberCount: z.int(),
    entryAssistantName: z.string().meta({ description: 'Who answers; empty when there is no member.' }),
    createdAt: isoTime,
    updatedAt: isoTime,
    coreData: z.object({ id: z.string().meta({ examples: ['3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'] }) }),
  })
  .meta({ id: 'Squad' })
export type SquadRecord = z.input<typeof Squad>

const path = {
  id: z
    .string()
    .regex(/^(draft_[a-z0-9-]{1,100}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i)
    .toLowerCase()
    .meta({ description: 'The external id: a UUID, or `draft_<slug>`.', examples: ['draft_front-desk'] }),
}

export const SquadPath = z.object(path)
export const ReconcileInput = z.object({ ...path, keep: Keep })
export const SquadReconciled = reconciledOf(Squad)
/** More than any call is handed over to. */
const members = z.array(Member, { error: requiredError }).max(100)

export const DraftInput = z.object({ ...shape, members: members.default([]) })
export const PublishInput = z.object({ ...shape, members: members.min(1), ...path })
export const ListQuery = pageQuery.extend({
  search: text(255).nullable().optional().meta({ description: 'Part of the name.' }),
})
export const SquadResponse = dataOf(Squad)
export const SquadPage = pageOf(Squad)
export type SquadBody = z.output<typeof DraftInput>
