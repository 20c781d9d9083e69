import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import type { Transaction } from '../../../db/client.ts'
import { inMs } from '../../../db/schedule.ts'
import type { LiveNumberBody } from '../../../voice-platform/mapping/number.ts'
import { ResourceBusyError } from '../../../voice-platform/mirror/mirror.ts'
import type { Owner } from '../../users/owner.ts'
import { adoptNumber } from '../outside/adopt.ts'
import { liveNumberBody, type NumberRow } from '../read/record.ts'
import { phoneNumberRemote } from '../remote.ts'
import { noTarget, resyncTargets } from '../routing/routing.ts'
import { purchasing } from '../service.ts'
import { inStep } from '../sync/in-step.ts'
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
 * How long the record of a number has to say what the platform was told of it, before the platform is told otherwise.
 */
const maxSaveMs = 60_000

const isNumber = (phoneNumber: string) => eq(phoneNumbers.phoneNumber, phoneNumber)

/** A number that leads nowhere, with its live id. Throws 500 when it was assigned meanwhile. */
function free(row: NumberRow | undefined): NumberRow & { voicePhoneNumberId: string } {
  const { voicePhoneNumberId: liveId, voiceAssistantId, voiceSquadId, voiceWorkflowId } = row ?? {}
  const isAssigned = Boolean(voiceAssistantId || voiceSquadId || voiceWorkflowId)
  if (row?.status !== 'owned' || isAssigned || !liveId) throw failed('It was assigned meanwhile.')
  return { ...row, voicePhoneNumberId: liveId }
}

/**
 * Tells the live platform that a number leads to an assistant whose record is about to be saved. The number's own
 * record says nothing of it yet, and that the platform is to be told so unless `attachNumber` saves it. Returns what
 * the platform was told. Throws 500 when it is no longer free, and what the platform's failure is.
 */
export async function sendAttachment(
  ctx: AccountContext,
  phoneNumber: string,
  voiceAssistantId: string,
): Promise<LiveNumberBody> {
  const target = { ...noTarget, voiceAssistantId }
  const update = ctx.mirror.update(phoneNumberRemote(ctx), phoneNumber, {
    async load() {
      const [row] = await ctx.db.select().from(phoneNumbers).where(isNumber(phoneNumber))
      return free(row)
    },
    adopt: (row, outside) => adoptNumber(ctx.db, row, outside),
    async compose(row, seen) {
      const columns = seen && { ...seen.adopted.columns, ...noTarget }
      return { liveId: row.voicePhoneNumberId, body: liveNumberBody({ ...row, ...columns, ...target }), row, columns }
    },
    async save(tx, { row, columns, body }) {
      const [locked] = await tx.select().from(phoneNumbers).where(isNumber(phoneNumber)).for('update')
      free(locked)
      await tx
        .update(phoneNumbers)
        .set({ ...columns, ...(columns && { updatedAt: ctx.clock.now() }), syncDueAt: inMs(maxSaveMs) })
        .where(eq(phoneNumbers.id, row.id))
      return body
    },
  })
  return update.catch((error) => {
    if (error instanceof ResourceBusyError) throw failed('It is being changed.', error)
    throw error
  })
}

/**
 * Attaches a number to the assistant that is being saved, in the same transaction, once `sent` told the platform so.
 * Where another writer came between, it is still to be told again (`ctx.phoneNumbers.sync`). Throws 500 when it is no
 * longer free.
 */
export async function attachNumber(
  tx: Transaction,
  ctx: AccountContext,
  phoneNumber: string,
  assistant: { id: number; voiceAssistantId: string },
  sent: LiveNumberBody | undefined,
): Promise<void> {
  const [found] = await tx.select().from(phoneNumbers).where(isNumber(phoneNumber)).for('update')
  const row = free(found)
  const at = ctx.clock.now()
  const to = { ...noTarget, assistantId: assistant.id, voiceAssistantId: assistant.voiceAssistantId }
  const isSynced = row.syncDueAt !== null && Bun.deepEquals(liveNumberBody({ ...row, ...to }), sent)
  await tx
    .update(phoneNumbers)
    .set({ ...to, ...(isSynced ? { ...inStep, lastSyncedAt: at } : { syncDueAt: sql`now()` }), updatedAt: at })
    .where(eq(phoneNumbers.id, row.id))
  const actor = { id: ctx.account.userId, name: ctx.account.name }
  await resyncTargets(tx, { number: row, from: noTarget, to, actor, at })
}
