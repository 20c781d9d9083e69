import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { validationError } from '../../../api/errors/api-error.ts'
import type { Transaction } from '../../../db/client.ts'
import { isAnyGoing } from '../../../voice-platform/mirror/journal/going.ts'
import { assistants } from '../../assistants/table.ts'
import { type Actor, recordNumberChange } from '../../history/number-change.ts'
import { squads } from '../../squads/table.ts'
import type { NumberRow } from '../read/record.ts'
import { phoneNumbers } from '../table.ts'

/** The columns that say where calls go; at most one of the three `voice` ids is set. */
export type Targets = Pick<
  NumberRow,
  'assistantId' | 'squadId' | 'voiceAssistantId' | 'voiceSquadId' | 'voiceWorkflowId'
>

/** The targets among the columns of a number. */
export const targetsOf = (row: Targets): Targets => ({
  assistantId: row.assistantId,
  squadId: row.squadId,
  voiceAssistantId: row.voiceAssistantId,
  voiceSquadId: row.voiceSquadId,
  voiceWorkflowId: row.voiceWorkflowId,
})

export const noTarget: Targets = {
  assistantId: null,
  squadId: null,
  voiceAssistantId: null,
  voiceSquadId: null,
  voiceWorkflowId: null,
}

/** The 422 of a target that is not the account's (contract: numbers 16). */
export const unknownTarget = (field: string) => validationError({ [field]: [`The selected ${field} does not exist.`] })

interface Move {
  number: Pick<NumberRow, 'id' | 'phoneNumber' | 'voicePhoneNumberId' | 'workspaceId'>
  from: Targets
  to: Targets
  actor: Actor
  at: Date
}

/** Another number that still leads to the assistant, when this one does no more. */
async function otherNumber(tx: Transaction, assistantId: number, numberId: number) {
  const [other] = await tx
    .select({ phoneNumber: phoneNumbers.phoneNumber, phoneNumberId: phoneNumbers.voicePhoneNumberId })
    .from(phoneNumbers)
    .where(and(eq(phoneNumbers.assistantId, assistantId), ne(phoneNumbers.id, numberId)))
    .orderBy(desc(phoneNumbers.id))
    .limit(1)
  return other ?? { phoneNumber: null, phoneNumberId: null }
}

/**
 * Re-syncs the assistants of a routing change, in the transaction that saves it: the previous one's stored number is
 * cleared, the new one carries this number, and both histories say so (contract: numbers 15).
 * Throws 422 when a target was deleted meanwhile, is being deleted, went to another workspace, or has another live id.
 * Who moves it locks its row as well and takes it off the numbers that stay behind, so that either sees the other.
 */
export async function resyncTargets(tx: Transaction, { number, from, to, actor, at }: Move): Promise<void> {
  if (to.squadId !== null && to.squadId !== from.squadId) {
    const [kept] = await tx
      .select({ liveId: squads.externalSquadId, workspaceId: squads.workspaceId })
      .from(squads)
      .where(eq(squads.id, to.squadId))
      .for('key share')
    const isHere = kept?.liveId === to.voiceSquadId && kept?.workspaceId === number.workspaceId
    if (!isHere) throw unknownTarget('voice_squad_id')
  }
  if (from.assistantId === to.assistantId) return
  const ids = [from.assistantId, to.assistantId].filter((id) => id !== null)
  const touched = await tx
    .select({
      id: assistants.id,
      ref: assistants.assistantId,
      workspaceId: assistants.workspaceId,
      phoneNumber: assistants.phoneNumber,
      liveId: assistants.voiceAssistantId,
    })
    .from(assistants)
    .where(inArray(assistants.id, ids))
    .orderBy(asc(assistants.id))
    .for('update')
  const target = touched.find(({ id }) => id === to.assistantId)
  const isHere = target?.liveId === to.voiceAssistantId && target?.workspaceId === number.workspaceId
  const isGone = !isHere || (await isAnyGoing(tx, 'assistant', [target.ref]))
  if (to.assistantId !== null && isGone) throw unknownTarget('voice_assistant_id')
  for (const { id, workspaceId, phoneNumber: before } of touched) {
    const attached = id === to.assistantId
    if (!attached && before !== number.phoneNumber) continue
    const after = attached
      ? { phoneNumber: number.phoneNumber, phoneNumberId: number.voicePhoneNumberId }
      : await otherNumber(tx, id, number.id)
    await tx
      .update(assistants)
      .set({ ...after, updatedAt: at })
      .where(eq(assistants.id, id))
    await recordNumberChange(tx, { assistantId: id, workspaceId, actor, from: before, to: after.phoneNumber, at })
  }
}

/**
 * Ends a number for its account; it is given back to the carrier afterwards. `actor`, its owner unless given, and `at`
 * are for the assistant's history.
 */
export async function abandon(
  tx: Transaction,
  phoneNumber: string,
  { actor, at }: { actor?: Actor; at: Date },
): Promise<void> {
  const [row] = await tx.select().from(phoneNumbers).where(eq(phoneNumbers.phoneNumber, phoneNumber)).for('update')
  if (row?.status !== 'owned') return
  const who = actor ?? { id: row.userId, name: 'Switchboard' }
  await resyncTargets(tx, { number: row, from: row, to: noTarget, actor: who, at })
  await tx
    .update(phoneNumbers)
    .set({ ...noTarget, status: 'releasing', voicePhoneNumberId: null, syncDueAt: sql`now()`, updatedAt: at })
    .where(eq(phoneNumbers.id, row.id))
}

/** What a number may lead to that has a record here, by its key. */
type Target = { assistantId: number } | { squadId: number }

const leadingTo = (target: Target) =>
  'assistantId' in target ? eq(phoneNumbers.assistantId, target.assistantId) : eq(phoneNumbers.squadId, target.squadId)

/**
 * Takes a target that is being deleted off its numbers, in the transaction that deletes it. What is left to do is to
 * sync the platform (`ctx.phoneNumbers.sync`); the rows say so until it is done. `at` is their `updated_at`. Returns
 * the numbers.
 */
export async function detachTarget(tx: Transaction, target: Target, at: Date): Promise<string[]> {
  const rows = await tx
    .update(phoneNumbers)
    .set({ ...noTarget, syncDueAt: sql`now()`, updatedAt: at })
    .where(leadingTo(target))
    .returning({ phoneNumber: phoneNumbers.phoneNumber })
  return rows.map(({ phoneNumber }) => phoneNumber)
}

/**
 * Locks the numbers that lead to a target, in the transaction that moves it, before its own row is locked: whoever
 * leads a number elsewhere locks the number first, and its targets then.
 */
export async function lockNumbers(tx: Transaction, target: Target): Promise<void> {
  await tx
    .select({ id: phoneNumbers.id })
    .from(phoneNumbers)
    .where(leadingTo(target))
    .orderBy(asc(phoneNumbers.id))
    .for('update')
}

/**
 * Takes a target off the numbers of other workspaces than its own, `workspaceId`, in the transaction that moves it
 * there: who has the number has nothing to do with the target any more. Returns the numbers, which are still to be
 * synced.
 */
export async function detachStrangers(
  tx: Transaction,
  target: Target,
  workspaceId: number,
  { actor, at }: { actor: Actor; at: Date },
): Promise<string[]> {
  const rows = await tx
    .select()
    .from(phoneNumbers)
    .where(and(leadingTo(target), ne(phoneNumbers.workspaceId, workspaceId)))
    .orderBy(asc(phoneNumbers.id))
    .for('update')
  for (const row of rows) {
    await resyncTargets(tx, { number: row, from: row, to: noTarget, actor, at })
    await tx
      .update(phoneNumbers)
      .set({ ...noTarget, syncDueAt: sql`now()`, updatedAt: at })
      .where(eq(phoneNumbers.id, row.id))
  }
  return rows.map(({ phoneNumber }) => phoneNumber)
}
