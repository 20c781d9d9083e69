import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import type { Transaction } from '../../../db/client.ts'
import type { Owner } from '../../users/owner.ts'
import type { NumberRow } from '../read/record.ts'
import { noTarget, resyncTargets } from '../routing/routing.ts'
import { purchasing } from '../service.ts'
import { phoneNumbers } from '../table.ts'

const failed = (detail: string, cause?: unknown) => new ApiError('phone_purchase_failed', { detail, cause })

/** A number that the owner has already and that leads nowhere: an earlier create bought it and then failed. */
async function ownUnassigned(ctx: AccountContext, owner: Owner, number: string): Promise<NumberRow | undefined> {
  const unassigned = and(
    isNull(phoneNumbers.voiceAssistantId),
    isNull(phoneNumbers.voiceSquadId),
    isNull(phoneNumbers.voiceWorkflowId),
  )
  const own = and(eq(phoneNumbers.workspaceId, owner.workspaceId), eq(phoneNumbers.status, 'owned'))
  const [row] = await ctx.db
    .select()
    .from(phoneNumbers)
    .where(and(eq(phoneNumbers.phoneNumber, number), own, unassigned))
  return row
}

/**
 * The number that is to be attached to a new assistant, bought for its owner and registered on the live platform; one
 * that the owner has already and that leads nowhere is not bought again. `ref` is the purchase's.
 * Throws 500 'Failed to purchase phone number: ...'; a number that was bought stays with the owner, unassigned.
 */
export async function selectedNumber(ctx: AccountContext, owner: Owner, number: string, ref: string): Promise<string> {
  const { userId, workspaceId, resellerId } = owner
  const order = { number, ref, name: null, userId, workspaceId, resellerId, createdBy: ctx.account.userId }
  const had = await ownUnassigned(ctx, owner, number)
  if (!had) await purchasing(ctx.phoneNumbers.buy(order))
  try {
    await ctx.phoneNumbers.sync(number)
  } catch (error) {
    throw failed('It was bought, but the voice platform did not register it yet.', error)
  }
  return number
}

/**
 * Attaches a number to the assistant that is being saved, in the same transaction. What is left to do is to sync the
 * platform (`ctx.phoneNumbers.sync`); the row says so until it is done. Throws 500 when it is no longer free.
 */
export async function attachNumber(
  tx: Transaction,
  ctx: AccountContext,
  phoneNumber: string,
  assistant: { id: number; voiceAssistantId: string },
): Promise<void> {
  const [row] = await tx.select().from(phoneNumbers).where(eq(phoneNumbers.phoneNumber, phoneNumber)).for('update')
  const free = row?.status === 'owned' && !row.voiceAssistantId && !row.voiceSquadId && !row.voiceWorkflowId
  if (!row || !free || !row.voicePhoneNumberId) throw failed('It was assigned meanwhile.')
  const at = ctx.clock.now()
  const to = { ...noTarget, assistantId: assistant.id, voiceAssistantId: assistant.voiceAssistantId }
  await tx
    .update(phoneNumbers)
    .set({ ...to, syncDueAt: sql`now()`, updatedAt: at })
    .where(eq(phoneNumbers.id, row.id))
  const actor = { id: ctx.account.userId, name: ctx.account.name }
  await resyncTargets(tx, { number: row, from: noTarget, to, actor, at })
}
