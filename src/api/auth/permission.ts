import type { AccountContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'

/**
 * Refuses a write by a `viewer`. Loaders such as `requireAssistant` call it once the resource is found, because a
 * resource outside the caller's scope is a 404 before it is a 403; so no write to a resource can forget it (contract: rest 7). Only
 * procedures that make a new resource call it themselves.
 */
export function authorise(ctx: AccountContext): void {
  if (ctx.meta.permission === 'write' && ctx.account.workspaceRole === 'viewer') throw new ApiError('permission_denied')
}
