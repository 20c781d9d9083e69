import type { Account, Feature, TokenScope } from './account.ts'

function partsOf(scope: TokenScope): { area: string | undefined; level: string | undefined } {
  const [first, second] = scope.split(':')
  return second === undefined ? { area: undefined, level: first } : { area: first, level: second }
}

function includes(held: TokenScope, wanted: TokenScope): boolean {
  const [wide, narrow] = [partsOf(held), partsOf(wanted)]
  const reachesArea = wide.area === undefined || wide.area === narrow.area
  return reachesArea && (wide.level === 'write' || narrow.level === 'read')
}

/** Whether a token's scopes include one more, be it to use it or to give it to another token. */
export const hasScope = (scopes: readonly TokenScope[] | null, wanted: TokenScope): boolean =>
  scopes === null || scopes.some((held) => includes(held, wanted))

/**
 * Whether a caller may read what belongs to a feature: the user has it, and the token its scope
 * (contract: accounts 11).
 */
export const mayRead = ({ features, scopes }: Pick<Account, 'features' | 'scopes'>, feature: Feature): boolean =>
  features.includes(feature) && hasScope(scopes, `${feature}:read`)
