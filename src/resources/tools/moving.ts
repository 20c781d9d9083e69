import { and, eq, isNull, ne } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, type ErrorName } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'
import { refuseOthers } from './definition.ts'
import type { OwnTool } from './in-use.ts'

/** A tool as it is on the platform, or undefined where it has none. Throws what `failed` says when it cannot be asked. */
export async function readLive(ctx: AccountContext, id: string, failed: ErrorName): Promise<object | undefined> {
  try {
    return await ctx.platform.tools.get(id, { signal: ctx.signal })
  } catch (cause) {
    if (cause instanceof PlatformError && cause.kind === 'not_found') return undefined
    throw new ApiError(failed, { cause })
  }
}

/**
 * Of the tools of a user who comes to a workspace, those that were made on the platform themselves, as they are there: nothing
 * else says what they name. Throws 502 when the platform cannot be read.
 */
export async function readAdopted(
  ctx: AccountContext,
  userId: number,
  workspaceId: number,
): Promise<Map<string, object>> {
  const rows = await ctx.db
    .select({ id: tools.id })
    .from(tools)
    .innerJoin(users, eq(users.id, tools.ownerId))
    .where(and(eq(users.id, userId), ne(users.workspaceId, workspaceId), eq(tools.scope, 'own'), isNull(tools.ref)))
  const found = new Map<string, object>()
  for (const { id } of rows) found.set(id, (await readLive(ctx, id, 'import_unavailable')) ?? {})
  return found
}

/**
 * Keeps the own tools of a user who came to a workspace from reaching what another one has (contract: accounts 20). To be called
 * in the transaction of the move, when the workspace is held: of an object that leaves it at the same time, either sees
 * the other. Throws 422 on `workspace_id`.
 */
export async function requireToolsAtHome(
  tx: Transaction,
  workspaceId: number,
  own: readonly OwnTool[],
  adopted: ReadonlyMap<string, object>,
): Promise<void> {
  for (const { id, label, definition } of own) {
    await refuseOthers(tx, workspaceId, { label, body: { definition, live: adopted.get(id) } }, 'workspace_id')
  }
}
