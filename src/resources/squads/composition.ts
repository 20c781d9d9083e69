import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import type { Engines } from '../../voice-platform/mapping/squad.ts'
import { canonicalId } from '../../voice-platform/references/find.ts'
import { assistants } from '../assistants/table.ts'
import type { SquadBody, StoredMember } from './schema.ts'

/** A member with the assistant that it names, if the account has it. */
export interface ResolvedMember {
  member: StoredMember
  assistant: { id: number; assistantId: string; voiceAssistantId: string; name: string; engines: Engines } | undefined
}

const { live } = assistants
const engines = sql<Engines>`jsonb_build_object('model', ${live} -> 'model', 'voice', ${live} -> 'voice', 'transcriber', ${live} -> 'transcriber')`

/** What of a squad names other objects than its members. */
export const overridesOf = ({ members, membersOverrides }: Pick<SquadBody, 'members' | 'membersOverrides'>) => ({
  members: members.map(({ assistantOverrides }) => ({ assistantOverrides })),
  membersOverrides,
})

/** A member whose destinations are spelled as ids are compared. */
function spelled(member: StoredMember): StoredMember {
  const { assistantDestinations: destinations } = member
  if (!destinations) return member
  const assistantDestinations = destinations.map((one) =>
    one.assistantId ? { ...one, assistantId: canonicalId(one.assistantId) } : one,
  )
  return { ...member, assistantDestinations }
}

/** The assistants that members name by public or live id; a live id is turned into the public one. */
export async function resolveMembers(
  executor: Executor,
  workspaceId: number,
  members: StoredMember[],
): Promise<ResolvedMember[]> {
  // A member that was made on the platform may name none.
  const ids = uuidsIn([...new Set(members.map(({ assistantId }) => assistantId))])
  if (ids.length === 0) return members.map((member) => ({ member: spelled(member), assistant: undefined }))
  const found = await executor
    .select({
      id: assistants.id,
      assistantId: assistants.assistantId,
      voiceAssistantId: assistants.voiceAssistantId,
      name: assistants.name,
      engines,
    })
    .from(assistants)
    .where(
      and(
        eq(assistants.workspaceId, workspaceId),
        or(inArray(assistants.assistantId, ids), inArray(assistants.voiceAssistantId, ids)),
      ),
    )
  const byId = new Map(found.flatMap((one) => [[one.voiceAssistantId, one] as const, [one.assistantId, one] as const]))
  return members.map((member) => {
    const assistant = byId.get(member.assistantId.toLowerCase())
    return { member: { ...spelled(member), ...(assistant && { assistantId: assistant.assistantId }) }, assistant }
  })
}

/** The name by which a member answers on the platform: that of its assistant unless the squad overrides it. */
export const nameOf = ({ member, assistant }: ResolvedMember): string | undefined => {
  const overridden = member.assistantOverrides?.name
  return typeof overridden === 'string' && overridden !== '' ? overridden : assistant?.name
}

/** A member whose assistant is known, under the name by which it answers on the platform. */
interface NamedMember extends ResolvedMember {
  assistant: NonNullable<ResolvedMember['assistant']>
  name: string
  label: string
}

const invalid = (detail: string) => new ApiError('squad_invalid', { detail })

function named(resolved: ResolvedMember, index: number): NamedMember {
  const { member, assistant } = resolved
  if (!assistant) throw invalid(`member ${index + 1} (${member.assistantId}) is not an assistant of this account.`)
  const name = nameOf(resolved) ?? assistant.name
  return { member, assistant, name, label: `member ${index + 1} "${name}"` }
}

function checkDestinations(source: NamedMember, members: NamedMember[]): void {
  for (const { assistantName, assistantId } of source.member.assistantDestinations ?? []) {
    const byName = members.find(({ name }) => name === assistantName)
    if (!byName) throw invalid(`${source.label} hands over to "${assistantName}", which is no member of the squad.`)
    const byId = assistantId
      ? members.find(({ assistant }) => [assistant.assistantId, assistant.voiceAssistantId].includes(assistantId))
      : undefined
    if (assistantId && !byId) {
      throw invalid(`${source.label} hands over to ${assistantId}, which is no member of the squad.`)
    }
    if (byName === source || byId === source) throw invalid(`${source.label} hands over to itself.`)
  }
}

/**
 * The members as the platform accepts them (contract: squads 9). Throws 422 'Squad payload invalid: ...' naming the
 * member: one that is no assistant of the account, two with one name, a destination that is no member or itself.
 */
export function composed(resolved: ResolvedMember[]): NamedMember[] {
  const members = resolved.map(named)
  const taken = new Map<string, NamedMember>()
  for (const member of members) {
    const other = taken.get(member.name)
    if (other) throw invalid(`${member.label} has the name of ${other.label}.`)
    taken.set(member.name, member)
  }
  for (const member of members) checkDestinations(member, members)
  return members
}

/** A member as the platform's body is made of it. */
export const toLiveMember = ({ member, assistant }: Pick<NamedMember, 'member' | 'assistant'>) => ({
  ...member,
  liveId: assistant.voiceAssistantId,
  engines: assistant.engines,
})

/** Characters of JSON in the overrides of all members; those for every member count for each of them. */
const maxOverrides = 2_000_000

/** Refuses overrides that the platform would have to merge into each member for seconds. Throws 422. */
export function refuseHeavy(members: readonly StoredMember[], forAll: unknown): void {
  const sizeOf = (value: unknown) => JSON.stringify(value ?? null).length
  const own = members.reduce((sum, { assistantOverrides }) => sum + sizeOf(assistantOverrides), 0)
  if (own + members.length * sizeOf(forAll) <= maxOverrides) return
  throw invalid(`the overrides of all members together have more than ${maxOverrides} characters.`)
}
