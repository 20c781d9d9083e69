import { asc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { markUnfinished } from '../../voice-platform/mirror/journal/mark.ts'
import { renameTargets } from '../../voice-platform/references/hand-offs.ts'
import { resolveMembers } from './composition.ts'
import { squadAssistants, squads } from './table.ts'

type Locked = Pick<
  typeof squads.$inferSelect,
  'id' | 'ref' | 'status' | 'workspaceId' | 'members' | 'membersOverrides' | 'live'
>

const namingSquads = (tx: Transaction, assistantId: number) =>
  tx.select({ id: squadAssistants.squadId }).from(squadAssistants).where(eq(squadAssistants.assistantId, assistantId))

/**
 * Locks the squads of which an assistant is a member, in the transaction that renames it, before its own row is locked:
 * who publishes a squad locks that first, and its members then.
 */
export async function lockSquadsOf(tx: Transaction, assistantId: number): Promise<Locked[]> {
  const naming = await namingSquads(tx, assistantId)
  if (naming.length === 0) return []
  const { id, ref, status, workspaceId, members, membersOverrides, live } = squads
  const ids = naming.map((one) => one.id)
  return tx
    .select({ id, ref, status, workspaceId, members, membersOverrides, live })
    .from(squads)
    .where(inArray(id, ids))
    .orderBy(asc(id))
    .for('no key update')
}

/** Whether a squad hands calls over to the assistant by the name that it had, and can by the one that it has now. */
async function follows(tx: Transaction, squad: Locked, { assistantId, from, to }: Renamed): Promise<boolean> {
  const members = (await resolveMembers(tx, squad.workspaceId, squad.members)).map(({ member, assistant }) => {
    const own = member.assistantOverrides?.name
    const name = typeof own === 'string' && own !== '' ? own : undefined
    return { name: name ?? assistant?.name, isIt: assistant?.id === assistantId && name === undefined }
  })
  const isTaken = members.some(({ name, isIt }) => !isIt && (name === from || name === to))
  return members.some(({ isIt }) => isIt) && !isTaken
}

/** An assistant that is renamed. */
interface Renamed {
  assistantId: number
  from: string
  to: string
  at: Date
}

/**
 * Has the squads of an assistant, which `lockSquadsOf` locked, hand calls over to it by its new name, in the
 * transaction that renames it and when its row is locked. Live squads are told in the background (contract: squads 19).
 * Returns how many, or undefined where another squad has taken it in meanwhile: nothing may be saved then.
 */
export async function followName(
  tx: Transaction,
  locked: readonly Locked[],
  renamed: Renamed,
): Promise<number | undefined> {
  const naming = await namingSquads(tx, renamed.assistantId)
  if (naming.some(({ id }) => !locked.some((squad) => squad.id === id))) return undefined
  let marked = 0
  for (const squad of locked) {
    if (!(await follows(tx, squad, renamed))) continue
    const { members, membersOverrides, live } = squad
    const bodies = structuredClone({ members, membersOverrides, live })
    if (!renameTargets(bodies, (name) => (name === renamed.from ? renamed.to : undefined))) continue
    await tx
      .update(squads)
      .set({ ...bodies, updatedAt: renamed.at })
      .where(eq(squads.id, squad.id))
    if (squad.status !== 'published') continue
    await markUnfinished(tx, { kind: 'squad', ref: squad.ref })
    marked += 1
  }
  return marked
}
