import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import type { pageQuery } from '../../api/schemas.ts'
import type { Executor } from '../../db/client.ts'
import { recordAudit } from '../audit/record.ts'
import type { CreateResellerInput } from './schema.ts'
import { resellers } from './table.ts'

const record = ({ id, name, createdAt, updatedAt }: typeof resellers.$inferSelect) => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

const newestFirst = sortedBy('desc', resellers.id)

/** Every reseller, newest first. */
export async function listResellers(ctx: AccountContext, query: z.output<typeof pageQuery>) {
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select()
        .from(resellers)
        .where(newestFirst.after(after))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(resellers),
  })
  return { data: rows.map(record), pagination }
}

/** Makes a reseller (contract: accounts 17). */
export async function createReseller(ctx: AccountContext, input: z.output<typeof CreateResellerInput>) {
  const now = ctx.clock.now()
  return makeOnce(ctx, async (tx) => {
    const [row] = await tx.insert(resellers).values({ name: input.name, createdAt: now, updatedAt: now }).returning()
    if (!row) throw new ApiError('internal_error')
    const after = record(row)
    await recordAudit(tx, ctx, { action: 'created', subject: { kind: 'reseller', id: row.id }, after })
    return after
  })
}

/** Throws 422 on `reseller_id` when there is no such reseller. Resellers are never deleted. */
export async function requireReseller(executor: Executor, id: number): Promise<void> {
  const [row] = await executor.select({ id: resellers.id }).from(resellers).where(eq(resellers.id, id))
  if (!row) throw notExisting('reseller_id')
}
