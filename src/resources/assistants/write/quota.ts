import { count, eq } from 'drizzle-orm'
import { ApiError } from '../../../api/errors/api-error.ts'
import type { Executor } from '../../../db/client.ts'
import type { Owner } from '../../users/owner.ts'
import { users } from '../../users/table.ts'
import { assistants } from '../table.ts'

/** Throws 403 naming the quota when the owner has as many assistants as it allows (contract: accounts 12). */
export async function checkQuota(executor: Executor, owner: Owner): Promise<void> {
  const { assistantQuota: quota, userId } = owner
  if (quota === null) return
  const [counted] = await executor.select({ total: count() }).from(assistants).where(eq(assistants.userId, userId))
  if ((counted?.total ?? 0) >= quota) {
    throw new ApiError('assistant_quota_reached', { detail: `${quota} assistant${quota === 1 ? '' : 's'}` })
  }
}

/** The same within the transaction that adds one: the owner's row makes concurrent creates take turns. */
export async function lockQuota(executor: Executor, owner: Owner): Promise<void> {
  if (owner.assistantQuota === null) return
  await executor.select({ id: users.id }).from(users).where(eq(users.id, owner.userId)).for('update')
  await checkQuota(executor, owner)
}
