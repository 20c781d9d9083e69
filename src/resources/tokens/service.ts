import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { type TokenScope, tokenScopes } from '../../accounts/account.ts'
import { hasScope } from '../../accounts/token-scopes.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { pageOfList, sortedBy } from '../../api/paging/walk.ts'
import { type pageQuery, timeOf } from '../../api/schemas.ts'
import { recordAudit } from '../audit/record.ts'
import { isBudgeted } from '../budgets/of-caller.ts'
import { requireUser } from '../users/find.ts'
import type { CreateOwnTokenInput, CreateUserTokenInput, UserTokenPath, UserTokenQuery } from './schema.ts'
import { hashToken, newToken, tokenPrefix } from './secret.ts'
import { tokens } from './table.ts'

type PageQuery = z.output<typeof pageQuery>

/** What a new token is asked to be. */
type Rights = Pick<z.output<typeof CreateOwnTokenInput>, 'expires_at' | 'scopes'>

/**
 * When a new token ends: not after the token that makes it, and with it when nothing is said.
 * One that has passed makes a token that is none. Throws 422 on `expires_at` for later times.
 */
function expiryOf({ account }: AccountContext, expiresAt: Rights['expires_at']): Date | null {
  const own = account.tokenExpiresAt
  if (expiresAt === undefined) return own
  const expiry = expiresAt === null ? null : timeOf(expiresAt)
  if (!own || (expiry && expiry <= own)) return expiry
  throw validationError({ expires_at: ['The expires_at field must not be after the end of your own token.'] })
}

/** A new token's scopes: within those of the token that makes it, and the same when nothing is said. Throws 422. */
function scopesOf({ account }: AccountContext, asked: Rights['scopes']): TokenScope[] | null {
  const own = account.scopes
  if (asked === undefined) return own && [...own]
  if (asked === null && own) throw validationError({ scopes: ['The scopes field must name scopes of your own token.'] })
  const wider = asked?.flatMap((scope, index) => (hasScope(own, scope) ? [] : [`scopes.${index}`])) ?? []
  if (wider.length > 0) {
    throw validationError(
      Object.fromEntries(wider.map((field) => [field, [`The ${field} field must be a scope of your own token.`]])),
    )
  }
  return asked && tokenScopes.filter((scope) => asked.includes(scope))
}

/** What a token made by the caller's may be at most (contract: accounts 26). */
const rightsOf = (ctx: AccountContext, asked: Rights) => ({
  expiresAt: expiryOf(ctx, asked.expires_at),
  scopes: scopesOf(ctx, asked.scopes),
})

/** What the audit trail shows of a token. */
const audited = ({ userId, name, prefix, scopes, expiresAt }: typeof tokens.$inferSelect) => ({
  user_id: userId,
  name,
  prefix,
  scopes,
  expires_at: expiresAt?.toISOString() ?? null,
})

function createFor(ctx: AccountContext, of: { userId: number; name: string } & ReturnType<typeof rightsOf>) {
  return makeOnce(ctx, async (tx) => {
    const token = newToken()
    const values = { ...of, prefix: tokenPrefix(token), hash: hashToken(token), createdAt: ctx.clock.now() }
    const [row] = await tx.insert(tokens).values(values).returning()
    if (!row) throw new ApiError('internal_error')
    await recordAudit(tx, ctx, { action: 'created', subject: { kind: 'token', id: row.id }, after: audited(row) })
    const { id, name, prefix, scopes, expiresAt, createdAt } = row
    const times = { expires_at: expiresAt?.toISOString() ?? null, created_at: createdAt.toISOString() }
    return { id, name, prefix, token, scopes, ...times }
  })
}

const newestFirst = sortedBy('desc', tokens.id)

/** A user's tokens that are not revoked, newest first. */
async function listOf(ctx: AccountContext, userId: number, query: PageQuery) {
  const kept = and(eq(tokens.userId, userId), isNull(tokens.revokedAt))
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select()
        .from(tokens)
        .where(and(kept, newestFirst.after(after)))
        .orderBy(...newestFirst.order)
        .limit(limit)
        .offset(offset),
    keysOf: ({ id }) => [id],
    total: () => ctx.db.$count(tokens, kept),
  })
  const data = rows.map(({ id, name, prefix, scopes, lastUsedAt, expiresAt, createdAt }) => ({
    id,
    name,
    prefix,
    scopes,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }))
  return { data, pagination }
}

async function revokeOf(ctx: AccountContext, userId: number, tokenId: number) {
  await ctx.db.transaction(async (tx) => {
    const [revoked] = await tx
      .update(tokens)
      .set({ revokedAt: ctx.clock.now() })
      .where(and(eq(tokens.id, tokenId), eq(tokens.userId, userId), isNull(tokens.revokedAt)))
      .returning()
    if (!revoked) throw new ApiError('token_not_found')
    await recordAudit(tx, ctx, { action: 'deleted', subject: { kind: 'token', id: tokenId }, before: audited(revoked) })
  })
  await ctx.invalidateAccounts()
}

/** The caller's tokens (contract: accounts 15). */
export const listOwnTokens = (ctx: AccountContext, query: PageQuery) => listOf(ctx, ctx.account.userId, query)

/** Throws 403 for a token that has a budget. */
async function refuseBudgeted(ctx: AccountContext): Promise<void> {
  if (await isBudgeted(ctx)) throw new ApiError('budgeted_token')
}

/**
 * A further token of the caller; only its hash is stored.
 * Throws 422 on `expires_at` and `scopes`, 403 for a token that has a budget.
 */
export async function createOwnToken(ctx: AccountContext, input: z.output<typeof CreateOwnTokenInput>) {
  await refuseBudgeted(ctx)
  return createFor(ctx, { userId: ctx.account.userId, name: input.name, ...rightsOf(ctx, input) })
}

/** Revokes a token of the caller, at once in this process. Throws 404 'Token not found'. */
export const deleteOwnToken = (ctx: AccountContext, input: { id: number }) =>
  revokeOf(ctx, ctx.account.userId, input.id)

/** A user's tokens, for operators. Throws 404 'User not found'. */
export async function listUserTokens(ctx: AccountContext, query: z.output<typeof UserTokenQuery>) {
  const user = await requireUser(ctx.db, query.id)
  return listOf(ctx, user.id, query)
}

/**
 * Makes a token for a user (contract: accounts 21). Throws 404 'User not found', 422 on `expires_at` and `scopes`, 403
 * for a token that has a budget.
 */
export async function createUserToken(ctx: AccountContext, input: z.output<typeof CreateUserTokenInput>) {
  await refuseBudgeted(ctx)
  const rights = rightsOf(ctx, input)
  const user = await requireUser(ctx.db, input.id)
  return createFor(ctx, { userId: user.id, name: input.name ?? 'API token', ...rights })
}

/** Revokes a user's token. Throws 404 for the user, then for the token. */
export async function deleteUserToken(ctx: AccountContext, input: z.output<typeof UserTokenPath>) {
  const user = await requireUser(ctx.db, input.id)
  return revokeOf(ctx, user.id, input.token_id)
}
