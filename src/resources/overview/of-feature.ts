import type { Feature } from '../../accounts/account.ts'
import { mayRead } from '../../accounts/token-scopes.ts'
import type { AccountContext } from '../../api/context.ts'

/** What is read of a feature, for a caller who may read that; `none` for others (contract: profile 13). */
export const ofFeature = async <T>(
  { account }: AccountContext,
  feature: Feature,
  read: () => Promise<T>,
  none: T,
): Promise<T> => (mayRead(account, feature) ? read() : none)
