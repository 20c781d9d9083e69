import type { TokenScope } from '../../accounts/account.ts'
import type { OperationMeta } from '../meta.ts'

/**
 * The scope that an operation asks of a token, from its metadata alone (contract: accounts 25). What neither states a
 * permission nor is a GET counts as a write.
 */
export function requiredScope({ access, feature, permission, openapi }: OperationMeta): TokenScope {
  const area = access === 'operator' ? 'admin' : (feature ?? 'account')
  const level = permission ?? (openapi?.method === 'GET' ? 'read' : 'write')
  return `${area}:${level}`
}

/** What the `scope_missing` of a scope says. */
export const scopeMissing = (scope: TokenScope) => ({ detail: scope, extra: { scope } })
