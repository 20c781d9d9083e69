import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { authorise } from '../../api/auth/gate.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import { CarrierError } from '../../carrier/carrier.ts'
import { NumberOwnedError } from './purchase/purchase.ts'
import { requireNumber } from './read/find.ts'
import { type NumberRow, numberRecord } from './read/record.ts'
import { phoneNumberRemote } from './remote.ts'
import { abandon } from './routing/routing.ts'
import type { AvailableQuery, BuyInput } from './schema.ts'
import { phoneNumbers } from './table.ts'
import { numberRemoval } from './write/live-write.ts'

const offered = 20

/**
 * A refusal or failure of the carrier as the documented 500 (contract: assistants 35, numbers 18); whatever else was
 * thrown stays.
 */
export async function purchasing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    throw new ApiError('phone_purchase_failed', { detail: error.message, cause: error })
  }
}

/**
 * The carrier's offer, without the numbers that are bought (contract: numbers 20). Throws 502 when it does not respond,
 * 429 when too much of the workspace is under way there.
 */
export async function availableNumbers(ctx: AccountContext, query: z.output<typeof AvailableQuery>) {
  const search = { limit: offered, ...(query.area_code && { areaCode: query.area_code }) }
  const offer = ctx.carrierSlots.run(ctx.account.workspaceId, () => ctx.carrier.offer(search))
  const found = await offer.catch((error: unknown) => {
    if (!(error instanceof CarrierError)) throw error
    throw new ApiError('carrier_unavailable', { cause: error })
  })
  const data = found.map(({ number, friendlyName, ...rest }) => ({
    phone_number: number,
    friendly_name: friendlyName,
    ...rest,
  }))
  return data
}

/**
 * Buys a number for the caller and registers it on the live platform (contract: numbers 21). One that could not be
 * registered yet is the caller's all the same, with `voice_phone_number_id: null`; background recovery registers it.
 * Throws 403 for viewers, 422 for a number that the account has already, 429 when too much of the workspace is under
 * way at the carrier, 500 when it does not sell the number.
 */
export async function buyNumber(ctx: AccountContext, input: z.output<typeof BuyInput>) {
  authorise(ctx)
  const { account } = ctx
  const order = {
    number: input.phone_number,
    ref: ctx.idempotencyId ?? crypto.randomUUID(),
    name: input.name ?? null,
    userId: account.userId,
    createdBy: account.userId,
    workspaceId: account.workspaceId,
    resellerId: account.resellerId,
  }
  const buying = ctx.phoneNumbers.buy(order).catch((error) => {
    if (error instanceof NumberOwnedError) throw validationError({ phone_number: [error.message] })
    throw error
  })
  const bought: NumberRow = await purchasing(buying)
  await ctx.phoneNumbers.syncAll([bought.phoneNumber])
  const row = await requireNumber(ctx, bought.phoneNumber)
  return numberRecord(row)
}

/**
 * Releases a number: from the live platform, then from the account, then at the carrier, which the background completes
 * when it cannot be done now. Throws 404, 403 for viewers, 502 when the live delete fails.
 */
export async function releaseNumber(ctx: AccountContext, input: { id: string }) {
  const { id, phoneNumber, voicePhoneNumberId } = await requireNumber(ctx, input.id)
  const options = { actor: { id: ctx.account.userId, name: ctx.account.name }, at: ctx.clock.now() }
  if (voicePhoneNumberId === null) {
    await ctx.db.transaction(async (tx) => {
      const [row] = await tx
        .select({ liveId: phoneNumbers.voicePhoneNumberId, status: phoneNumbers.status })
        .from(phoneNumbers)
        .where(eq(phoneNumbers.id, id))
        .for('update')
      if (row?.status !== 'owned') throw new ApiError('phone_number_not_found')
      if (row.liveId) throw new ApiError('phone_number_busy')
      await requireMatch(ctx, input, tx)
      await abandon(tx, phoneNumber, options)
    })
  } else {
    const release = ctx.mirror.remove(phoneNumberRemote(ctx), phoneNumber, {
      async check() {
        // Another release may have come before.
        await requireNumber(ctx, input.id)
        await requireMatch(ctx, input)
      },
      save: (tx) => abandon(tx, phoneNumber, options),
    })
    await numberRemoval(release)
  }
  await ctx.phoneNumbers.syncAll([phoneNumber])
}
