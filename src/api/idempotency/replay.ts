import { and, eq, gte, lt } from 'drizzle-orm'
import { type Lease, LeaseLostError, LeaseTimeoutError, withLease } from '../../db/lease/lease.ts'
import { isNoneFound } from '../../db/one-found.ts'
import { purge } from '../../db/purge.ts'
import { authorise, identify } from '../auth/gate.ts'
import type { AccountContext, RequestContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import { JsonReply, type Reply, writtenResponse } from '../http/response.ts'
import type { OperationMeta } from '../meta.ts'
import { singleFlight } from '../stream/single-flight.ts'
import { idempotencyKeys, idempotencyResults, responseContext } from './table.ts'

const keepMs = 24 * 60 * 60 * 1000

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const part of parts) hasher.update(part).update('\0')
  return hasher.digest('hex')
}

/** The first 128 bits of a hash in the form of a UUID. */
const uuidOf = (hash: string, version: string) =>
  `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${version}${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`

const versionOf = (uuid: string) => uuid.charAt(14)

/** The id under a key that an earlier release claimed: it would not find what it made by another. */
const derivedId = (keyHash: string, claimedAt: Date) => uuidOf(sha256(keyHash, claimedAt.toISOString()), '8')

/** Calls of a batch that ended differently: what succeeded is found again, what failed may be tried again. */
const mixed = 207

/** Responses that are kept: what succeeded, and refused input (contract: rest 23). */
const isKept = (status: number, text: string) =>
  (status >= 200 && status < 300 && status !== mixed) || (status === 422 && text.includes('"errors":'))

/** The `idempotencyId` of one call of a request: of a batch each has its own, so that no two make the same resource. */
export const idOfCall = (
  { batch, idempotencyId }: Pick<RequestContext, 'batch' | 'idempotencyId'>,
  index: number,
): string | undefined =>
  batch && idempotencyId !== undefined
    ? uuidOf(sha256(idempotencyId, String(index)), versionOf(idempotencyId))
    : idempotencyId

/** Streams under the same key and body in this process; their responses are JSON, which all of them can read. */
const joinStream = singleFlight<Reply>()

/** Whether an `Idempotency-Key` counts: on every POST whose callers are told apart (contract: rest 21). */
export const takesIdempotencyKey = (method: string, meta: OperationMeta): boolean =>
  method === 'POST' && (meta.access !== 'public' || meta.admits !== undefined)

/**
 * Refuses what was kept of a success, made under this `idempotencyId`, to who may no longer make or read it (contract:
 * rest 22). Throws 403 for viewers, and what the operation says.
 */
export async function refuseReplay(ctx: AccountContext, madeAs: string): Promise<void> {
  authorise(ctx)
  await ctx.meta.beforeReplay?.(ctx, madeAs)
}

/** A request that may have an `Idempotency-Key`. */
export interface KeyedRequest {
  /** Its `Idempotency-Key`; null where it has none. */
  key: string | null
  /** The path in the one spelling that all others of it count as: a key and another spelling are no other request. */
  path: string
  /** Its bytes, or what else tells them from another body. */
  body: Uint8Array | string
  /**
   * Checks that only `run` would make; what it throws is the response instead of what was kept. `madeAs`: the
   * `idempotencyId` of what succeeded.
   */
  beforeReplay?: (madeAs: string | undefined) => Promise<void>
  /** Whose key it is where no token says so: what is kept for one is given to no other. */
  visitor?: string
  /** Headers that belong to a body, beside those that every response has. */
  headersOf?: (status: number, body: string) => Record<string, string>
}

/**
 * Serves a POST under its `Idempotency-Key`: the first response again for the same token, path and body within 24
 * hours, 422 for another body, also while the first still runs, and 409 then for the same, which a stream joins where
 * it runs in this process as one. Without the header it just runs. A request that died before it could respond may be
 * sent again, and one that stood still taken over: `idempotencyId` makes both find what either made.
 */
export async function idempotent(
  ctx: RequestContext,
  { key, path, body, beforeReplay = async () => {}, visitor, headersOf = () => ({}) }: KeyedRequest,
  run: (ctx: RequestContext) => Promise<Reply>,
): Promise<Reply> {
  if (key === null) return run(ctx)
  if (key.length === 0 || key.length > 255) throw new ApiError('idempotency_key_invalid')
  const account = await identify(ctx)
  const caller = account ? String(account.tokenId) : visitor
  if (caller === undefined) return run(ctx)

  const keyHash = sha256(caller, path, key)
  const bodyHash = sha256(body)
  const attempt = async (served: RequestContext, lease: Lease) => {
    const claimed = await claim(ctx, keyHash, bodyHash)
    const { id: idempotencyId, kept } = claimed
    if (kept) {
      await beforeReplay(kept.status < 300 ? idempotencyId : undefined)
      const headers = headersOf(kept.status, kept.body)
      return writtenResponse(ctx, kept.status, kept.body, { ...headers, 'idempotency-replayed': 'true' })
    }
    const response = await run({ ...served, idempotencyId })
    const text = await response.text()
    const status = response.ok && ctx.outcome.partlyFailed ? mixed : response.status
    await settle(ctx, { keyHash, lease, ...claimed }, status, text).catch((error: unknown) => {
      // What was done is done: the next try, or whoever took this one over, finds it by the same id.
      const err = isNoneFound(error) ? new LeaseLostError(lease.key) : error
      ctx.log.warn({ event: 'response_not_kept', err }, 'a response could not be kept')
    })
    return response instanceof JsonReply ? response : new Response(text, response)
  }
  const inLease = (served: RequestContext) =>
    withLease(ctx.db, `idempotency:${keyHash}`, { ttlMs: ctx.mirror.leaseMs, waitMs: 0 }, (lease) =>
      attempt(served, lease),
    )
  try {
    if (!ctx.onText) return await inLease(ctx)
    return await joinStream(ctx.db, `${keyHash}:${bodyHash}`, ctx, (caller) => inLease({ ...ctx, ...caller }))
  } catch (error) {
    if (!(error instanceof LeaseTimeoutError)) throw error
    throw new ApiError((await isReused(ctx, keyHash, bodyHash)) ? 'idempotency_key_reused' : 'idempotency_key_running')
  }
}

interface Claim {
  /** What is made under it: the same for all tries of this use of the key, another after its 24 hours. */
  id: string
  /** Nobody had claimed it before. Where somebody had, and left no response, it may still make what the key is for. */
  isFirst: boolean
  /** The response of the first request, when there is one. */
  kept: { status: number; body: string } | undefined
}

/** A key that was claimed before this is free again. */
const oldest = ({ clock }: RequestContext) => new Date(clock.now().getTime() - keepMs)

/** Whether a key that another request holds is known to be with another body than this one. */
async function isReused(ctx: RequestContext, keyHash: string, bodyHash: string): Promise<boolean> {
  const claimed = and(eq(idempotencyKeys.keyHash, keyHash), gte(idempotencyKeys.createdAt, oldest(ctx)))
  const [row] = await ctx.db.select({ bodyHash: idempotencyKeys.bodyHash }).from(idempotencyKeys).where(claimed)
  return row !== undefined && row.bodyHash !== bodyHash
}

/** Takes the key for this request, or finds what an earlier one left. */
async function claim(ctx: RequestContext, keyHash: string, bodyHash: string): Promise<Claim> {
  const now = ctx.clock.now()
  const expired = and(eq(idempotencyKeys.keyHash, keyHash), lt(idempotencyKeys.createdAt, oldest(ctx)))
  await ctx.db.delete(idempotencyKeys).where(expired)
  const madeId = crypto.randomUUID()
  const inserted = await ctx.db
    .insert(idempotencyKeys)
    .values({ keyHash, bodyHash, madeId, createdAt: now })
    .onConflictDoNothing()
    .returning({ keyHash: idempotencyKeys.keyHash })
  const isFirst = inserted.length > 0
  const [row] = await ctx.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.keyHash, keyHash))
  if (row && row.bodyHash !== bodyHash) throw new ApiError('idempotency_key_reused')
  const id = row ? (row.madeId ?? derivedId(keyHash, row.createdAt)) : madeId
  const { status, body } = row ?? {}
  if (status == null || body == null) return { id, isFirst, kept: undefined }
  return { id, isFirst, kept: { status, body: ctx.vault.open(body, responseContext) } }
}

/**
 * Keeps the response, or lets the key be used anew; where nobody knows what was made, the next try has to find it.
 * Fails, and changes nothing, where the lease is another's by now: the key is its own to settle.
 */
async function settle(
  ctx: RequestContext,
  { keyHash, lease, isFirst }: Pick<Claim, 'isFirst'> & { keyHash: string; lease: Lease },
  status: number,
  text: string,
): Promise<void> {
  const row = eq(idempotencyKeys.keyHash, keyHash)
  if (isKept(status, text)) {
    const body = ctx.vault.seal(text, responseContext)
    await lease.endWith((executor) => [executor.update(idempotencyKeys).set({ status, body }).where(row)])
  } else if (isFirst && !ctx.outcome.unknown && status !== mixed) {
    await lease.endWith((executor) => [executor.delete(idempotencyKeys).where(row)])
  }
}

/** Drops responses older than 24 hours; called now and then. */
export async function purgeIdempotencyKeys(db: RequestContext['db'], now: Date): Promise<void> {
  const old = new Date(now.getTime() - keepMs)
  const { keyHash, createdAt } = idempotencyKeys
  await purge(db, { table: idempotencyKeys, id: keyHash, which: lt(createdAt, old) })
  const which = lt(idempotencyResults.createdAt, old)
  await purge(db, { table: idempotencyResults, id: idempotencyResults.id, which })
}
