import { and, eq, ilike, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import type { Executor } from '../../db/client.ts'
import { contains } from '../../db/contains.ts'
import { userRecord } from './record.ts'
import type { UserQuery } from './schema.ts'
import { users } from './table.ts'

/** One user. Throws 404 'User not found'. */
export async function requireUser(executor: Executor, id: number): Promise<typeof users.$inferSelect> {
  const [row] = await executor.select().from(users).where(eq(users.id, id))
  if (!row) throw new ApiError('user_not_found')
  return row
}

/** One user of the installation, for operators. Throws 404. */
export async function getUser(ctx: AccountContext, input: { id: number }) {
  return userRecord(await requireUser(ctx.db, input.id), ctx.settings)
}

const newestFirst = sortedBy('desc', users.id)

/** Every user, or those that the filters leave, newest first. */
export async function listUsers(ctx: AccountContext, query: z.output<typeof UserQuery>) {
  const pattern = query.search ? contains(query.search) : undefined
  const filters = and(
    pattern === undefined ? undefined : or(ilike(users.name, pattern), ilike(users.email, pattern)),
    query.workspace_id === undefined ? undefined : eq(users.workspaceId, query.workspace_id),
    query.reseller_id === undefined ? undefined : eq(users.resellerId, query.reseller_id),
  )
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select()
        .from(users)
        .where(and(filters, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(users, filters),
  })
  return { data: rows.map((row) => userRecord(row, ctx.settings)), pagination }
}
