import { asc, count, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { offsetOf, type pageQuery, pagination } from '../../api/schemas.ts'
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

/** Every reseller, in the order of their ids. */
export async function listResellers(ctx: AccountContext, query: z.output<typeof pageQuery>) {
  const page = ctx.db.select().from(resellers).orderBy(asc(resellers.id)).limit(query.per_page).offset(offsetOf(query))
  const [rows, [counted]] = await Promise.all([page, ctx.db.select({ total: count() }).from(resellers)])
  return {
    data: rows.map(record),
    pagination: pagination(query, counted?.total ?? 0, rows.length),
  }
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
