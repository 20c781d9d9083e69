import type { Account } from '../../accounts/account.ts'
import { scopeOf } from '../../accounts/scope.ts'
import type { AccountContext, RequestContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import type { OperationMeta } from '../meta.ts'
import type { RateState } from '../rate-limit/limiter.ts'

const bearer = /^Bearer +(\S+)$/i

/** The caller of a request, or undefined when it has no valid token. */
export async function identify(ctx: RequestContext): Promise<Account | undefined> {
  if (ctx.outcome.account) return ctx.outcome.account
  const token = bearer.exec(ctx.authorization ?? '')?.[1]
  const account = token === undefined ? undefined : await ctx.authenticate(token)
  if (account) ctx.outcome.account = account
  return account
}

/** The caller, or 401. */
export async function requireAccount(ctx: RequestContext): Promise<Account> {
  const account = await identify(ctx)
  if (!account) throw new ApiError('unauthenticated')
  return account
}

/** Counts a request under each of the keys whose limit is on. Throws 429. */
async function count(ctx: RequestContext, limits: readonly [key: string, perMinute: number][]): Promise<void> {
  const states: RateState[] = []
  for (const [key, perMinute] of limits) {
    if (perMinute > 0) states.push(await ctx.limiter.take(key, perMinute))
  }
  const tightest = states.sort((a, b) => a.remaining - b.remaining || a.limit - b.limit)[0]
  if (!tightest) return
  ctx.outcome.rate = tightest
  const refused = states.find((state) => !state.allowed)
  if (!refused) return
  ctx.outcome.rate = refused
  throw new ApiError('too_many_requests', { headers: { 'retry-after': String(refused.reset) } })
}

const countRequest = (ctx: RequestContext, meta: OperationMeta, { tokenId }: Account): Promise<void> =>
  count(ctx, [
    [`token:${tokenId}`, ctx.rateLimits.perMinute],
    [`turn:${tokenId}`, meta.rate === 'turn' ? ctx.rateLimits.turnsPerMinute : 0],
  ])

/** A visitor of a website is known by the widget's key and the address. */
async function countVisitor(ctx: RequestContext, named: () => Promise<unknown>): Promise<void> {
  const input = await named()
  const key = typeof input === 'object' && input !== null && 'public_key' in input ? String(input.public_key) : ''
  await count(ctx, [[`visitor:${key.slice(0, 64)}:${ctx.address}`, ctx.rateLimits.turnsPerMinute]])
}

/**
 * The checks that every operation makes before it reads its input, in this order (contract: rest 7):
 * 401, 409 (e-mail not verified, agent endpoints only), 403 feature or operator, 429.
 * @param named gives what the request names, not yet checked: the values of its path, or its whole input
 */
export async function authenticate(
  ctx: RequestContext,
  meta: OperationMeta,
  named: () => Promise<unknown>,
): Promise<Account | undefined> {
  if (meta.access === 'public') {
    if (meta.rate === 'visitor') await countVisitor(ctx, named)
    return undefined
  }
  const account = await requireAccount(ctx)
  const chat = meta.document === 'agents' || meta.document === 'completions'
  if (chat && !account.emailVerified) throw new ApiError('email_not_verified')
  if (meta.feature && !account.features.includes(meta.feature)) {
    throw new ApiError('feature_disabled', { detail: meta.feature, extra: { feature: meta.feature } })
  }
  if (meta.access === 'operator' && account.role !== 'admin') throw new ApiError('operator_only')
  await countRequest(ctx, meta, account)
  return account
}

/** What an operation's procedure finds in its context besides the request. */
export type Added = Pick<AccountContext, 'account' | 'scope' | 'meta'>

/** That of an operation whose gates a caller has passed. */
export const addedFor = (account: Account, meta: OperationMeta): Added => ({ account, scope: scopeOf(account), meta })

/** Adds it to the context of a request that serves this operation alone. */
export const withAccount = (ctx: RequestContext, account: Account | undefined, meta: OperationMeta): RequestContext =>
  Object.assign(ctx, account ? addedFor(account, meta) : { meta })
