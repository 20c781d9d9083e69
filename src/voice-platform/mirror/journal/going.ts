import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../../db/client.ts'
import type { Target } from './entry.ts'
import { liveWrites } from './table.ts'

/**
 * Whether one of these resources is being deleted. Who names them asks once their rows are locked, as a delete locks
 * them after it has said so in the journal: one of the two sees the other.
 */
export async function isAnyGoing(tx: Transaction, kind: Target['kind'], refs: readonly string[]): Promise<boolean> {
  if (refs.length === 0) return false
  const [going] = await tx
    .select({ ref: liveWrites.ref })
    .from(liveWrites)
    .where(and(eq(liveWrites.kind, kind), eq(liveWrites.action, 'delete'), inArray(liveWrites.ref, [...refs])))
    .limit(1)
  return going !== undefined
}
