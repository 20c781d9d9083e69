import type { AccountContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'

/**
 * Refuses a write by a `viewer`. Services call it once the resource is found, because a resource outside the
 * caller's scope is a 404 before it is a 403 (contract: rest 7).
 */
export function authorise(ctx: AccountContext): void {
  if (ctx.meta.permission === 'write' && ctx.account.workspaceRole === 'viewer') throw new ApiError('permission_denied')
}
