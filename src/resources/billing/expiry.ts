import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { releaseExpiredBudgets } from './budget-holds.ts'
import { holds } from './table.ts'
import { moveBalance, type WalletKey } from './wallet.ts'

/** Ends the wallet's holds that `which` finds. Returns how many. A hold is locked before its wallet, as in `settle`. */
const free = (db: Database, { workspaceId, currency }: WalletKey, which: SQL): Promise<number> =>
  db.transaction(async (tx) => {
    const freed = await tx
      .delete(holds)
      .where(and(eq(holds.workspaceId, workspaceId), eq(holds.currency, currency), which))
      .returning({ amount: holds.amount })
    if (freed.length === 0) return 0
    await moveBalance(tx, { workspaceId, currency }, { freed: freed.reduce((sum, { amount }) => sum + amount, 0) })
    return freed.length
  })

/** Ends one turn's hold, if it is still there. */
export const freeHold = (db: Database, turnId: string, wallet: WalletKey): Promise<number> =>
  free(db, wallet, eq(holds.turnId, turnId))

/** The time is the database's, so that instances need no common clock. */
const expired = lt(holds.expiresAt, sql`now()`)

/** Ends a wallet's holds that were left by processes that died. */
export const freeExpired = (db: Database, wallet: WalletKey): Promise<number> => free(db, wallet, expired)

/**
 * Ends every expired hold, wallet by wallet, so that two processes cannot wait for each other. Returns how many.
 * A turn that settles after all is charged all the same.
 */
export async function releaseExpiredHolds(db: Database): Promise<number> {
  const found = await db
    .selectDistinct({ workspaceId: holds.workspaceId, currency: holds.currency })
    .from(holds)
    .where(expired)
  await releaseExpiredBudgets(db)
  let freed = 0
  for (const wallet of found) freed += await freeExpired(db, wallet)
  return freed
}
