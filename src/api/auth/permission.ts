import type { TokenScope } from '../../accounts/account.ts'
import type { OperationMeta } from '../meta.ts'

/** Whether an operation reads or writes: a GET reads, all else writes, unless its metadata says otherwise. */
const permissionOf = ({ permission, openapi }: OperationMeta) =>
  permission ?? (openapi?.method === 'GET' ? 'read' : 'write')

/** The scope that an operation asks of a token, from its metadata alone (contract: accounts 25). */
export function requiredScope(meta: OperationMeta): TokenScope {
  const area = meta.access === 'operator' ? 'admin' : (meta.feature ?? 'account')
  return `${area}:${permissionOf(meta)}`
}

/** What the `scope_missing` of a scope says. */
export const scopeMissing = (scope: TokenScope) => ({ detail: scope, extra: { scope } })

/**
 * Whether an operation asks for more than the `viewer` role (contract: accounts 9). Agents and accounts have
 * permissions of their own.
 */
export const refusesViewers = (meta: OperationMeta): boolean =>
  meta.document === 'voice' && permissionOf(meta) === 'write'
