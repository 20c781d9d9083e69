import { isObject, type Json } from '../../../json/object.ts'
import { uuidPattern } from '../../../runtime/uuid.ts'
import { textOf } from '../../mapping/settings.ts'
import type { CallValues } from '../../mapping/variables.ts'
import { AssistantFields } from '../../schema/assistant.ts'
import { type Line, lineOf } from '../conversation/line.ts'
import { Destination } from '../phone-numbers.ts'
import { PlatformResponse } from '../responses.ts'
import { checkSquad, SquadFields } from '../squads.ts'
import type { PlatformStore } from '../store/store.ts'
import { firstServer } from '../webhooks/messages.ts'
import type { CallRequest } from './bodies.ts'
import { CallOverrides } from './schema.ts'

/** Whose an object of the platform is; undefined where nobody keeps account of that. */
export type OwnerOf = (kind: 'assistant' | 'squad' | 'phone-number', id: string) => Promise<number | undefined>

/** What a number's server decided about a call. */
export type Answering =
  | { line: Line }
  | { destination: Json }
  | { endedReason: `assistant-request-${string}`; said?: string }

const targets = ['assistantId', 'squadId', 'workflowId'] as const

/** Whether a number has somebody to answer it, who may be gone. */
export const isRouted = ({ phoneNumber }: Line): boolean =>
  targets.some((name) => phoneNumber?.body[name] !== undefined)

/** Whether the server of the called number says who answers. */
export const asksServer = (line: Line, { direction }: CallRequest): boolean =>
  direction === 'inbound' && !line.first && !isRouted(line) && firstServer(line.phoneNumber?.body.server) !== undefined

const invalid = { endedReason: 'assistant-request-returned-invalid-assistant' } as const

/** Tools that are stored belong to others, maybe: a response brings its own. */
function withoutToolIds(fields: unknown): unknown {
  if (!isObject(fields) || !isObject(fields.model)) return fields
  const { toolIds: _ids, ...model } = fields.model
  return { ...fields, model }
}

/** As many members as a squad of ours may have. */
const maxMembers = 100

/** A squad that is told whole: its members bring their own tools. */
function withoutMembersToolIds(squad: unknown): unknown {
  if (!isObject(squad) || !Array.isArray(squad.members)) return squad
  const members = squad.members.map((member: unknown) => {
    if (!isObject(member)) return member
    const { assistant, assistantOverrides, ...rest } = member
    return {
      ...rest,
      ...(assistant !== undefined && { assistant: withoutToolIds(assistant) }),
      ...(assistantOverrides !== undefined && { assistantOverrides: withoutToolIds(assistantOverrides) }),
    }
  })
  const { membersOverrides } = squad
  return {
    ...squad,
    members,
    ...(membersOverrides !== undefined && { membersOverrides: withoutToolIds(membersOverrides) }),
  }
}

const WholeSquad = SquadFields.refine(({ members }) => members.length <= maxMembers).optional()

/** The object that a response names belongs to whom the number belongs to; what is no id names none. */
async function isOwn(ownerOf: OwnerOf, line: Line, kind: 'assistant' | 'squad', id: string | undefined) {
  if (id !== undefined && !uuidPattern.test(id)) return false
  if (id === undefined || !line.phoneNumber) return true
  const [owner, caller] = await Promise.all([ownerOf(kind, id), ownerOf('phone-number', line.phoneNumber.id)])
  return owner === caller
}

/**
 * Reads a response to `assistant-request`, for a call on `line` that nobody answers yet: an assistant or a squad,
 * stored and of the number's owner or told whole, somebody else's number, or an error to say.
 */
export async function answeringOf(
  { store, values, ownerOf }: { store: PlatformStore; values: CallValues; ownerOf: OwnerOf },
  line: Line,
  response: Json,
): Promise<Answering> {
  const error = textOf(response.error)
  if (error !== undefined) return { endedReason: 'assistant-request-returned-error', said: error }
  const destination = Destination.safeParse(response.destination)
  if (destination.success) return { destination: destination.data }
  const [assistantId, squadId] = [textOf(response.assistantId), textOf(response.squadId)]
  if ((assistantId ?? squadId ?? response.assistant ?? response.squad) === undefined) {
    return { endedReason: 'assistant-request-returned-no-assistant' }
  }
  const assistant = AssistantFields.optional().safeParse(withoutToolIds(response.assistant ?? undefined))
  const overrides = CallOverrides.optional().safeParse(withoutToolIds(response.assistantOverrides ?? undefined))
  const squad = WholeSquad.safeParse(withoutMembersToolIds(response.squad ?? undefined))
  const squadOverrides = CallOverrides.optional().safeParse(withoutToolIds(response.squadOverrides ?? undefined))
  if (!assistant.success || !overrides.success || !squad.success || !squadOverrides.success) return invalid
  const memberIds = squad.data?.members.flatMap((member) => member.assistantId ?? []) ?? []
  const mine = await Promise.all([
    isOwn(ownerOf, line, 'squad', squadId),
    ...[assistantId, ...new Set(memberIds)].map((id) => isOwn(ownerOf, line, 'assistant', id)),
  ])
  if (mine.includes(false)) return invalid
  const called = {
    assistantId,
    squadId,
    phoneNumberId: line.phoneNumber?.id,
    ...(assistant.data && { assistant: assistant.data }),
    ...(overrides.data && { assistantOverrides: overrides.data }),
    ...(squad.data && { squad: squad.data }),
    ...(squadOverrides.data && { squadOverrides: squadOverrides.data }),
  }
  try {
    if (squad.data) await checkSquad(squad.data, { store })
    return { line: await lineOf({ store, values }, called) }
  } catch (error) {
    if (error instanceof PlatformResponse) return invalid
    throw error
  }
}
