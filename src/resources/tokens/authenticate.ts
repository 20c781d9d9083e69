import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Account } from '../../accounts/account.ts'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { boundedCache } from '../../runtime/bounded-cache.ts'
import type { Clock } from '../../runtime/clock.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import { hashToken } from './secret.ts'
import { tokens } from './table.ts'

const cacheMs = 5_000
/** How long an account may stand for its token while the database cannot be asked. */
const standInMs = 60 * 60_000
const maxCachedBytes = 16 * 1024 * 1024
/** Hashes, of 64 characters each. */
const maxRemembered = 10_000
const touchMs = 60_000

const findToken = preparedQuery('tokens_authenticate', (db, name) =>
  db
    .select({
      tokenId: tokens.id,
      tokenExpiresAt: tokens.expiresAt,
      scopes: tokens.scopes,
      lastUsedAt: tokens.lastUsedAt,
      userId: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      workspaceId: workspaces.id,
      workspaceUuid: workspaces.uuid,
      workspaceRole: users.workspaceRole,
      resellerId: users.resellerId,
      features: users.features,
      emailVerifiedAt: users.emailVerifiedAt,
      assistantQuota: users.assistantQuota,
    })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .innerJoin(workspaces, eq(workspaces.id, users.workspaceId))
    .where(
      and(
        eq(tokens.hash, sql.placeholder('hash')),
        isNull(tokens.revokedAt),
        or(isNull(tokens.expiresAt), gt(tokens.expiresAt, sql.placeholder('now'))),
        eq(users.status, 'active'),
        isNull(users.deletedAt),
      ),
    )
    .prepare(name),
)

interface Cached {
  account: Account
  /** When it was looked up. */
  at: number
  until: number
  /** How many changes there had been. */
  changes: number
}

/**
 * Looks callers up by token, remembering them for a few seconds: a token revoked or suspended through another
 * instance is refused within that time, one changed through this process at once (`invalidate`).
 */
export function authenticator(db: Database, clock: Clock) {
  const cache = boundedCache<string, Cached>(maxCachedBytes, ({ account }) => 2 * JSON.stringify(account).length)
  const rightBefore = new Set<string>()
  /** Counts the changes, so that a look-up that began before one is not remembered after it. */
  let changes = 0

  const lookUp = async (hash: string, now: Date): Promise<Omit<Cached, 'changes'> | undefined> => {
    const [row] = await findToken(db).execute({ hash, now: now.toISOString() })
    if (!row) return undefined
    const at = now.getTime()
    const until = at + cacheMs
    const { lastUsedAt, emailVerifiedAt, ...account } = row
    const { tokenExpiresAt } = account
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > touchMs) {
      const touched = db.update(tokens).set({ lastUsedAt: now }).where(eq(tokens.id, row.tokenId))
      await touched.catch((error: unknown) => {
        // While the database takes no writes, reads go on.
        if (!isUnreachable(error)) throw error
      })
    }
    return {
      account: { ...account, emailVerified: emailVerifiedAt !== null },
      at,
      until: tokenExpiresAt ? Math.min(until, tokenExpiresAt.getTime()) : until,
    }
  }

  return {
    /**
     * The account that a token acts for, or undefined when it is unknown, expired, revoked or suspended.
     * @param refuseUnknown called first for a token that was not right before, as far as that is remembered; what it
     *   throws is thrown
     */
    async authenticate(token: string, refuseUnknown: () => void = () => {}): Promise<Account | undefined> {
      const hash = hashToken(token)
      if (!rightBefore.has(hash)) refuseUnknown()
      const now = clock.now()
      const known = cache.get(hash)
      if (known && known.changes === changes && now.getTime() < known.until) return known.account
      const before = changes
      const found = await lookUp(hash, now)
      if (!found) {
        rightBefore.delete(hash)
        cache.delete(hash)
        return undefined
      }
      if (before === changes) cache.set(hash, { ...found, changes })
      if (rightBefore.size >= maxRemembered) rightBefore.clear()
      rightBefore.add(hash)
      return found.account
    },
    /**
     * The account of a token as it was when it was last looked up, within the last hour and since the last change of
     * accounts that this process heard of; undefined otherwise. For what has to be told while the database is away.
     */
    lastKnown(token: string): Account | undefined {
      const known = cache.get(hashToken(token))
      const now = clock.now().getTime()
      const expiresAt = known?.account.tokenExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY
      return known && now < Math.min(known.at + standInMs, expiresAt) ? known.account : undefined
    },
    /** How many callers are remembered. */
    size: (): number => cache.size,
    /** Looks everyone up again: where changes may have been missed. */
    recheck(): void {
      changes++
    },
    /** Drops everyone from the cache: after any change of users, workspaces or tokens. */
    invalidate(): void {
      changes++
      cache.clear()
    },
  }
}
