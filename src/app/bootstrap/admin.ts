import { asc, eq, TransactionRollbackError } from 'drizzle-orm'
import { features } from '../../accounts/account.ts'
import type { Database } from '../../db/client.ts'
import { resellers } from '../../resources/resellers/table.ts'
import { hashToken, tokenPrefix } from '../../resources/tokens/secret.ts'
import { tokens } from '../../resources/tokens/table.ts'
import { users } from '../../resources/users/table.ts'
import { workspaces } from '../../resources/workspaces/table.ts'

const adminEmail = 'admin@localhost'

/**
 * Makes the token of the first admin, and with it the first reseller, workspace and admin, where they do not exist
 * (contract: accounts 22). Instances that start at once make them once.
 */
export async function ensureAdmin(db: Database, key: string, now: Date): Promise<void> {
  const hash = hashToken(key)
  const [known] = await db.select({ id: tokens.id }).from(tokens).where(eq(tokens.hash, hash))
  if (known) return
  const userId = (await firstAdmin(db)) ?? (await makeAdmin(db, now)) ?? (await firstAdmin(db))
  if (userId === undefined) throw new Error(`The user ${adminEmail} exists but is no admin`)
  await db
    .insert(tokens)
    .values({ userId, name: 'First admin', prefix: tokenPrefix(key), hash, createdAt: now })
    .onConflictDoNothing()
}

async function firstAdmin(db: Database): Promise<number | undefined> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.role, 'admin'))
    .orderBy(asc(users.id))
    .limit(1)
  return admin?.id
}

/** Undefined when another instance was first. */
function makeAdmin(db: Database, now: Date): Promise<number | undefined> {
  const made = { createdAt: now, updatedAt: now }
  return db
    .transaction(async (tx) => {
      const [reseller] = await tx
        .insert(resellers)
        .values({ name: 'Main', ...made })
        .returning({ id: resellers.id })
      if (!reseller) return undefined
      const [workspace] = await tx
        .insert(workspaces)
        .values({ uuid: crypto.randomUUID(), resellerId: reseller.id, name: 'Operators', ...made })
        .returning({ id: workspaces.id })
      if (!workspace) return undefined
      const [user] = await tx
        .insert(users)
        .values({
          name: 'Administrator',
          email: adminEmail,
          role: 'admin',
          workspaceId: workspace.id,
          workspaceRole: 'owner',
          resellerId: reseller.id,
          features: [...features],
          emailVerifiedAt: now,
          ...made,
        })
        .onConflictDoNothing()
        .returning({ id: users.id })
      if (!user) return tx.rollback()
      await tx.update(workspaces).set({ ownerId: user.id }).where(eq(workspaces.id, workspace.id))
      return user.id
    })
    .catch((error: unknown) => {
      if (error instanceof TransactionRollbackError) return undefined
      throw error
    })
}
