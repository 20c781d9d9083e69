import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { markAllUnfinished } from '../../voice-platform/mirror/journal/mark.ts'
import { renameTargets } from '../../voice-platform/references/hand-offs.ts'
import { assistants } from '../assistants/table.ts'
import { tools } from '../catalogue/table.ts'
import { lockWorkspaces } from '../references/lock-workspaces.ts'
import { users } from '../users/table.ts'
import { nameOf, resolveMembers } from './composition.ts'
import { squadAssistants, squads } from './table.ts'

/** A member that is renamed. */
interface RenamedMember {
  assistantId: number
  from: string
  to: string
}

type Squad = Pick<typeof squads.$inferSelect, 'id' | 'workspaceId'>

/** The squads of a workspace in whose calls a tool may be used: by a member that has it, or by their overrides. */
async function squadsUsing(tx: Transaction, workspaceId: number, toolId: string) {
  const named = JSON.stringify(toolId)
  const having = tx
    .select({ id: squadAssistants.squadId })
    .from(squadAssistants)
    .innerJoin(assistants, eq(assistants.id, squadAssistants.assistantId))
    .where(sql`strpos(lower(${assistants.live}::text), ${named}) > 0`)
  const { id, members, membersOverrides } = squads
  const inOverrides = sql`strpos(lower(concat(${members}::text, ${membersOverrides}::text)), ${named}) > 0`
  return tx
    .select({ id, workspaceId: squads.workspaceId, members })
    .from(squads)
    .where(and(eq(squads.workspaceId, workspaceId), or(inArray(id, having), inOverrides)))
}

/** Whether a tool is used by one of the squads that follow a renamed member, and means another in no other squad. */
async function isMeant(
  tx: Transaction,
  using: Awaited<ReturnType<typeof squadsUsing>>,
  { assistantId, from }: RenamedMember,
  following: readonly Squad[],
): Promise<boolean> {
  const others = using.filter(({ id }) => !following.some((squad) => squad.id === id))
  if (others.length === using.length) return false
  for (const { members, workspaceId } of others) {
    const resolved = await resolveMembers(tx, workspaceId, members)
    if (resolved.some((member) => member.assistant?.id === assistantId || nameOf(member) === from)) return false
  }
  return true
}

/**
 * Has the members' own tools of a workspace hand calls over to a renamed assistant by its new name, in the transaction
 * that renames it, where none of the squads that use such a tool means another by the old one. Live tools are told in
 * the background (contract: squads 19). Returns how many.
 * @param following the squads of its workspace that hand calls over to it by its new name
 */
export async function followNameInTools(
  tx: Transaction,
  renamed: RenamedMember,
  following: readonly Squad[],
): Promise<number> {
  const { from, to } = renamed
  const [first] = following
  if (!first) return 0
  const { workspaceId } = first
  // Tools are locked last, and what is saved may name something of its workspace as well.
  await lockWorkspaces(tx, [workspaceId], 'share')
  const { id, ref, definition } = tools
  const naming = await tx
    .select({ id, ref, definition })
    .from(tools)
    .innerJoin(users, eq(users.id, tools.ownerId))
    .where(
      and(
        eq(tools.scope, 'own'),
        isNotNull(ref),
        eq(users.workspaceId, workspaceId),
        sql`strpos(${definition}::text, ${JSON.stringify(from)}) > 0`,
      ),
    )
    .orderBy(id)
    .for('no key update', { of: tools })
  const told: string[] = []
  for (const tool of naming) {
    const next = structuredClone(tool.definition)
    if (!renameTargets(next, (name) => (name === from ? to : undefined))) continue
    if (!(await isMeant(tx, await squadsUsing(tx, workspaceId, tool.id), renamed, following))) continue
    await tx.update(tools).set({ definition: next }).where(eq(id, tool.id))
    if (tool.ref) told.push(tool.ref)
  }
  await markAllUnfinished(tx, 'tool', told)
  return told.length
}
