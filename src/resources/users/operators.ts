import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import type { UpdateUserInput } from './schema.ts'
import { users } from './table.ts'

/**
 * Keeps an installation from losing its last operator: nobody suspends or demotes themselves, and two operators who
 * do it to each other at once take turns, so that the later one is no operator any more.
 * Throws 422 on `role` or `status`, 403 for a caller who has just ceased to be an operator.
 */
export async function protectOperators(
  tx: Transaction,
  ctx: AccountContext,
  input: z.output<typeof UpdateUserInput>,
): Promise<void> {
  const demotes = input.role !== undefined && input.role !== 'admin'
  const suspends = input.status === 'suspended'
  if (!demotes && !suspends) return
  if (input.id === ctx.account.userId) {
    throw validationError({
      ...(demotes && { role: ['You cannot take the admin role from yourself.'] }),
      ...(suspends && { status: ['You cannot suspend yourself.'] }),
    })
  }
  const operators = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), eq(users.status, 'active')))
    .orderBy(asc(users.id))
    .for('no key update')
  if (!operators.some(({ id }) => id === ctx.account.userId)) throw new ApiError('operator_only')
}
