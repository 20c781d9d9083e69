import { and, eq, ilike } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Executor } from '../../db/client.ts'
import { contains } from '../../db/contains.ts'
import { recordAudit } from '../audit/record.ts'
import { lockWorkspaces } from '../references/lock-workspaces.ts'
import { requireReseller } from '../resellers/service.ts'
import { users } from '../users/table.ts'
import { requireUnused } from './credentials-in-use.ts'
import type { CreateWorkspaceInput, UpdateWorkspaceInput, WorkspaceQuery } from './schema.ts'
import { workspaces } from './table.ts'

type Row = typeof workspaces.$inferSelect

const record = ({ id, uuid, name, resellerId, ownerId, billing, webhookCredentials, createdAt, updatedAt }: Row) => ({
  id,
  uuid,
  name,
  reseller_id: String(resellerId),
  owner_id: ownerId,
  billing,
  webhook_credentials: webhookCredentials,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

/** One workspace. Throws 404 'Workspace not found'. */
export async function requireWorkspace(executor: Executor, id: number): Promise<Row> {
  const [row] = await executor.select().from(workspaces).where(eq(workspaces.id, id))
  if (!row) throw new ApiError('workspace_not_found')
  return row
}

/** A new workspace without an owner; the reseller must exist. */
export async function insertWorkspace(
  executor: Executor,
  values: { name: string; resellerId: number; now: Date },
): Promise<Row> {
  const { name, resellerId, now } = values
  const [row] = await executor
    .insert(workspaces)
    .values({ uuid: crypto.randomUUID(), name, resellerId, createdAt: now, updatedAt: now })
    .returning()
  if (!row) throw new ApiError('internal_error')
  return row
}

const newestFirst = sortedBy('desc', workspaces.id)

/** Every workspace, or those that the filters leave, newest first. */
export async function listWorkspaces(ctx: AccountContext, query: z.output<typeof WorkspaceQuery>) {
  const filters = and(
    query.search ? ilike(workspaces.name, contains(query.search)) : undefined,
    query.reseller_id === undefined ? undefined : eq(workspaces.resellerId, query.reseller_id),
  )
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select()
        .from(workspaces)
        .where(and(filters, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(workspaces, filters),
  })
  return { data: rows.map(record), pagination }
}

/** One workspace. Throws 404. */
export async function getWorkspace(ctx: AccountContext, input: { id: number }) {
  return record(await requireWorkspace(ctx.db, input.id))
}

/** Makes a workspace, of the caller's reseller unless one is named. Throws 422 on `reseller_id`. */
export async function createWorkspace(ctx: AccountContext, input: z.output<typeof CreateWorkspaceInput>) {
  const { name, reseller_id: resellerId = ctx.account.resellerId } = input
  await requireReseller(ctx.db, resellerId)
  return makeOnce(ctx, async (tx) => {
    const after = record(await insertWorkspace(tx, { name, resellerId, now: ctx.clock.now() }))
    await recordAudit(tx, ctx, { action: 'created', subject: { kind: 'workspace', id: after.id }, after })
    return after
  })
}

/** Locks the user in its workspace until the transaction ends. Returns whether it is in this one. */
async function lockMember(executor: Executor, workspaceId: number, userId: number): Promise<boolean> {
  const [member] = await executor
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.workspaceId, workspaceId)))
    .for('share')
  return member !== undefined
}

/**
 * Changes name, billing mode, owner or the granted credentials (contract: accounts 18).
 * Throws 404, 422 on `owner_id` for anyone but a user of this workspace, and on `webhook_credentials` when one that is
 * taken away is in use.
 */
export async function updateWorkspace(ctx: AccountContext, input: z.output<typeof UpdateWorkspaceInput>) {
  const { id, name, billing, owner_id: ownerId, webhook_credentials: sent } = input
  const webhookCredentials = sent && [...new Set(sent)]
  const data = await ctx.db.transaction(async (tx) => {
    await requireWorkspace(tx, id)
    const isMember = ownerId === undefined || (await lockMember(tx, id, ownerId))
    // What begins to name a credential locks the workspace until it is saved.
    await lockWorkspaces(tx, [id], 'no key update')
    await requireMatch(ctx, input, tx)
    if (!isMember) throw validationError({ owner_id: ['The owner_id field must be a user of this workspace.'] })
    const before = record(await requireWorkspace(tx, id))
    const taken = before.webhook_credentials.filter((one) => webhookCredentials && !webhookCredentials.includes(one))
    await requireUnused(tx, id, taken)
    const [row] = await tx
      .update(workspaces)
      .set({ name, billing, ownerId, webhookCredentials, updatedAt: ctx.clock.now() })
      .where(eq(workspaces.id, id))
      .returning()
    if (!row) throw new ApiError('workspace_not_found')
    const after = record(row)
    await recordAudit(tx, ctx, { action: 'updated', subject: { kind: 'workspace', id }, before, after })
    return after
  })
  await ctx.invalidateAccounts()
  return data
}
