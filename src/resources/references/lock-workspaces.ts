import { asc, inArray } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { workspaces } from '../workspaces/table.ts'

/**
 * Locks workspaces in one order until the transaction ends: `share` keeps whoever moves something from them or to them
 * away, `no key update` whoever names something as well. Everybody takes rows in the order users; numbers, assistants
 * and squads; workspaces; tools; so that nobody waits in a circle.
 */
export async function lockWorkspaces(
  tx: Transaction,
  ids: readonly number[],
  strength: 'share' | 'no key update',
): Promise<void> {
  const which = inArray(workspaces.id, [...ids])
  await tx.select({ id: workspaces.id }).from(workspaces).where(which).orderBy(asc(workspaces.id)).for(strength)
}
