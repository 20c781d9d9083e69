import type { Account, Feature, TokenScope } from '../../accounts/account.ts'
import { scopeOf } from '../../accounts/scope.ts'
import { hasScope } from '../../accounts/token-scopes.ts'
import type { AccountContext, RequestContext, ServiceContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import type { OperationMeta } from '../meta.ts'
import type { Limit } from '../rate-limit/limiter.ts'
import { readerKey } from '../rate-limit/unread.ts'
import { refusesViewers, requiredScope, scopeMissing } from './permission.ts'

const bearer = /^Bearer +(\S+)$/i

/** The caller of a request, found once for all its calls, or undefined when it has no valid token. Throws 429. */
export async function identify(ctx: RequestContext): Promise<Account | undefined> {
  ctx.outcome.caller ??= callerOf(ctx)
  return ctx.outcome.caller
}

/** A token that was right before is looked up whatever else its address sends. Throws 429. */
async function callerOf(ctx: RequestContext): Promise<Account | undefined> {
  const token = bearer.exec(ctx.authorization ?? '')?.[1]
  if (token === undefined) return undefined
  const account = await ctx.authenticate(token, () => ctx.wrongTokens.refuse(ctx.address))
  if (account) ctx.outcome.account = account
  else await ctx.wrongTokens.count(ctx.address)
  return account
}

/** The caller, or 401. */
export async function requireAccount(ctx: RequestContext): Promise<Account> {
  const account = await identify(ctx)
  if (!account) throw new ApiError('unauthenticated')
  return account
}

/**
 * Counts a request under each of the keys whose limit is on, narrow ones first: what one of them refuses takes nothing
 * from the wider ones, which others share. Throws 429.
 */
async function count(ctx: RequestContext, limits: readonly Limit[]): Promise<void> {
  const on = limits.filter(([, perMinute]) => perMinute > 0)
  if (on.length === 0) return
  const states = await ctx.limiter.take(on)
  const refused = states.find(({ allowed }) => !allowed)
  if (refused) {
    ctx.outcome.rate = refused
    throw new ApiError('too_many_requests', { headers: { 'retry-after': String(refused.reset) } })
  }
  const tightest = states.sort((a, b) => a.remaining - b.remaining || a.limit - b.limit)[0]
  if (tightest) ctx.outcome.rate = tightest
}

/** What a user's tokens, and a workspace's users, may do together: so many times what one token may. */
const userShare = 2
const workspaceShare = 10

function countRequest(ctx: RequestContext, meta: OperationMeta, account: Account): Promise<void> {
  const { tokenId, userId, workspaceId } = account
  const { perMinute } = ctx.rateLimits
  const turns = meta.rate === 'turn' ? ctx.rateLimits.turnsPerMinute : 0
  return count(ctx, [
    [`token:${tokenId}`, perMinute],
    [`turn:${tokenId}`, turns],
    [`user:${userId}`, perMinute * userShare],
    [`user-turn:${userId}`, turns * userShare],
    [`workspace:${workspaceId}`, perMinute * workspaceShare],
    [`workspace-turn:${workspaceId}`, turns * workspaceShare],
  ])
}

/** Counts messages of the agent protocol, which cost work even where they call no operation. Throws 429. */
export async function countMessages(ctx: RequestContext, { tokenId }: Account, messages: number): Promise<void> {
  const { perMinute } = ctx.rateLimits
  await count(
    ctx,
    Array.from({ length: messages }, () => [`mcp:${tokenId}`, perMinute] as const),
  )
}

/**
 * A visitor of a website is known by the widget's key and the address. An address that tries key after key is limited
 * as a token is, and a widget as a whole, however many addresses its visitors have.
 */
async function countVisitor(ctx: RequestContext, named: () => Promise<unknown>): Promise<void> {
  const input = await named()
  const key = typeof input === 'object' && input !== null && 'public_key' in input ? input.public_key : undefined
  // Over tRPC it can be anything, which is refused as a key later.
  const widget = typeof key === 'string' ? key.slice(0, 64) : ''
  const { perMinute, turnsPerMinute, widgetPerMinute } = ctx.rateLimits
  await count(ctx, [
    [`visitor:${widget}:${ctx.address}`, turnsPerMinute],
    [`address:${ctx.address}`, perMinute],
    [`widget:${widget}`, widgetPerMinute],
  ])
}

function requireFeature({ features }: Account, feature: Feature): void {
  if (!features.includes(feature)) throw new ApiError('feature_disabled', { detail: feature, extra: { feature } })
}

function requireScope({ scopes }: Account, scope: TokenScope): void {
  if (!hasScope(scopes, scope)) throw new ApiError('scope_missing', scopeMissing(scope))
}

/** Refuses what a body asks of another feature than its operation's to who may not write there. Throws 403. */
export function requireFeatureWrite({ account }: Pick<AccountContext, 'account'>, feature: Feature): void {
  requireFeature(account, feature)
  requireScope(account, `${feature}:write`)
}

/**
 * The checks that every operation makes before it reads its input, in this order (contract: rest 7):
 * 401, 409 (e-mail not verified, agent endpoints only), 403 feature, operator or scope, 429.
 * @param named gives what the request names, not yet checked: the values of its path, or its whole input
 */
export async function authenticate(
  ctx: RequestContext,
  meta: OperationMeta,
  named: () => Promise<unknown>,
): Promise<Account | undefined> {
  ctx.outcome.document ??= meta.document
  if (meta.access === 'public') {
    if (meta.rate === 'visitor') await countVisitor(ctx, named)
    return undefined
  }
  const account = await requireAccount(ctx)
  const chat = meta.document === 'agents' || meta.document === 'completions'
  if (chat && !account.emailVerified) throw new ApiError('email_not_verified')
  if (meta.feature) requireFeature(account, meta.feature)
  if (meta.access === 'operator' && account.role !== 'admin') throw new ApiError('operator_only')
  requireScope(account, requiredScope(meta))
  await countRequest(ctx, meta, account)
  ctx.unread.requireRoom(readerKey(account))
  return account
}

/**
 * Refuses a write by a `viewer`. Loaders such as `requireAssistant` call it once the resource is found, because a
 * resource outside the caller's scope is a 404 before it is a 403; so no write to a resource can forget it (contract:
 * rest 7). Only procedures that make a new resource call it themselves.
 */
export function authorise(ctx: AccountContext): void {
  if (refusesViewers(ctx.meta) && ctx.account.workspaceRole === 'viewer') throw new ApiError('permission_denied')
}

/** What an operation's procedure finds in its context besides the request. */
export type Added = Pick<AccountContext, 'account' | 'scope' | 'meta' | 'platform'>

/**
 * What a procedure's context has besides, once a caller has passed its gates; a real platform is called within the
 * workspace's share.
 */
export const addedFor = ({ platform }: ServiceContext, account: Account, meta: OperationMeta): Added => ({
  account,
  scope: scopeOf(account),
  meta,
  platform: platform.forWorkspace?.(account.workspaceId) ?? platform,
})

/** Adds it to the context of a request that serves this operation alone, with what its face knows of it. */
export const withAccount = (
  ctx: RequestContext,
  account: Account | undefined,
  meta: OperationMeta,
  known?: Pick<RequestContext, 'match' | 'asText'>,
): RequestContext => Object.assign(ctx, account ? addedFor(ctx, account, meta) : { meta }, known)
