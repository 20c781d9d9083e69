import { and, eq, inArray } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database, Transaction } from '../../db/client.ts'
import { isAnyGoing } from '../../voice-platform/mirror/journal/going.ts'
import { assistants } from '../assistants/table.ts'
import type { ResolvedMember } from './composition.ts'
import { squadAssistants, squads } from './table.ts'

/**
 * Notes which assistants a squad names, in the transaction that saves it. Throws 422 when one is gone, or going, or in
 * another workspace: who deletes or moves it either sees the squad or is seen here, because both take the assistant's
 * row; 409 when one has another live remote object or another name by now.
 */
export async function noteMembers(
  tx: Transaction,
  { id: squadId, workspaceId }: Pick<typeof squads.$inferSelect, 'id' | 'workspaceId'>,
  members: ResolvedMember[],
): Promise<void> {
  await tx.delete(squadAssistants).where(eq(squadAssistants.squadId, squadId))
  const ids = [...new Set(members.flatMap(({ assistant }) => (assistant ? [assistant.id] : [])))]
  if (ids.length === 0) return
  const kept = await tx
    .select({
      id: assistants.id,
      ref: assistants.assistantId,
      liveId: assistants.voiceAssistantId,
      name: assistants.name,
    })
    .from(assistants)
    .where(and(inArray(assistants.id, ids), eq(assistants.workspaceId, workspaceId)))
    .for('key share')
  const refs = kept.map(({ ref }) => ref)
  if (kept.length < ids.length || (await isAnyGoing(tx, 'assistant', refs))) {
    throw new ApiError('squad_invalid', { detail: 'a member was deleted or moved to another workspace meanwhile.' })
  }
  const now = new Map(kept.map(({ liveId, name }) => [liveId, name]))
  if (members.some(({ assistant }) => assistant && now.get(assistant.voiceAssistantId) !== assistant.name)) {
    throw new ApiError('squad_busy')
  }
  await tx.insert(squadAssistants).values(ids.map((assistantId) => ({ squadId, workspaceId, assistantId })))
}

/**
 * The squads that name an assistant, by their names; its row is locked until the transaction ends, so that none is
 * added.
 */
async function squadsOf(tx: Transaction, assistantId: number): Promise<{ name: string; workspaceId: number }[]> {
  await tx.select({ id: assistants.id }).from(assistants).where(eq(assistants.id, assistantId)).for('update')
  return tx
    .select({ name: squads.name, workspaceId: squads.workspaceId })
    .from(squadAssistants)
    .innerJoin(squads, eq(squads.id, squadAssistants.squadId))
    .where(eq(squadAssistants.assistantId, assistantId))
    .orderBy(squads.name)
}

const inSquads = (naming: { name: string }[]) =>
  new ApiError('assistant_in_squad', { detail: naming.map(({ name }) => `"${name}"`).join(', ') })

/** Refuses to delete an assistant that squads name, with a 409 that names them. */
export async function refuseMember(db: Database, assistantId: number): Promise<void> {
  const naming = await db.transaction((tx) => squadsOf(tx, assistantId))
  if (naming.length > 0) throw inSquads(naming)
}

/**
 * Refuses to move an assistant to another workspace than that of the squads that name it, with a 409 that names them:
 * they would go on calling it for its new owner's money, and read what it says.
 */
export async function refuseStranger(tx: Transaction, assistantId: number, workspaceId: number): Promise<void> {
  const naming = (await squadsOf(tx, assistantId)).filter((squad) => squad.workspaceId !== workspaceId)
  if (naming.length > 0) throw inSquads(naming)
}
