import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Carrier } from '../../../carrier/carrier.ts'
import type { Database, Transaction } from '../../../db/client.ts'
import { inMs, longerPause } from '../../../db/schedule.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { reasonOf } from '../../../runtime/log.ts'
import type { Slots } from '../../../runtime/slots.ts'
import type { PlatformClient } from '../../../voice-platform/client.ts'
import type { LiveNumberBody } from '../../../voice-platform/mapping/number.ts'
import { liveDiffers } from '../../../voice-platform/mirror/live-differs.ts'
import type { Mirror } from '../../../voice-platform/mirror/mirror.ts'
import { adoptNumber, saveAdopted } from '../outside/adopt.ts'
import { liveNumberBody, type NumberRow } from '../read/record.ts'
import { phoneNumberRemote, showRemote } from '../remote.ts'
import { importedCarrierId, phoneNumbers } from '../table.ts'
import { inStep } from './in-step.ts'

export interface SyncOptions {
  db: Database
  clock: Clock
  log: Logger
  carrier: Carrier
  /** Work at the carrier that may go on at once, keyed by the workspace. */
  carrierSlots: Slots
  platform: PlatformClient
  mirror: Mirror
}

/** The number was given up or synced by another writer meanwhile: there is nothing left to do. */
class NothingToDo extends Error {}

/**
 * Brings the outside to what a number's row says, once the row says so itself: registers a bought number on the voice
 * platform, updates it there after a target was deleted, gives a released number back to the carrier.
 */
export function createNumberSync(options: SyncOptions) {
  const { db, clock, log, carrier, carrierSlots, mirror } = options
  const remote = phoneNumberRemote(options)
  const numbered = (number: string) => eq(phoneNumbers.phoneNumber, number)

  const read = async (number: string): Promise<NumberRow | undefined> => {
    const [row] = await db.select().from(phoneNumbers).where(numbered(number))
    return row
  }

  /** Notes that the platform was sent this body; what was saved meanwhile is still to be sent. */
  const noteSent = async (tx: Transaction, row: NumberRow, sent: LiveNumberBody, liveId: string) => {
    const mine = and(eq(phoneNumbers.id, row.id), eq(phoneNumbers.status, 'owned'))
    const [locked] = await tx.select().from(phoneNumbers).where(mine).for('update')
    if (!locked || (locked.voicePhoneNumberId ?? liveId) !== liveId) throw new NothingToDo()
    const current = Bun.deepEquals(liveNumberBody(locked), sent)
    const isNew = locked.voicePhoneNumberId === null
    const at = clock.now()
    await tx
      .update(phoneNumbers)
      .set({
        voicePhoneNumberId: liveId,
        lastSyncedAt: at,
        ...(isNew && { updatedAt: at }),
        ...(current ? inStep : { syncDueAt: sql`now()` }),
      })
      .where(mine)
    // Targets may have been set before the number had a live id.
    if (isNew) await showRemote(tx, row.phoneNumber, liveId, at)
  }

  const register = async (row: NumberRow) => {
    const body = liveNumberBody(row)
    await mirror.create(remote, row.phoneNumber, {
      body,
      async save(tx, live) {
        await noteSent(tx, row, body, live.id)
        if (liveDiffers(body, live).length === 0) return
        await tx.update(phoneNumbers).set({ syncDueAt: sql`now()` }).where(eq(phoneNumbers.id, row.id))
      },
    })
  }

  const update = (number: string) =>
    mirror.update(remote, number, {
      async load() {
        const row = await read(number)
        if (!row?.voicePhoneNumberId || row.syncDueAt === null) throw new NothingToDo()
        return { row, liveId: row.voicePhoneNumberId }
      },
      adopt: ({ row }, outside) => adoptNumber(db, row, outside),
      async compose({ row, liveId }, seen) {
        const adopted = seen?.adopted
        return { liveId, body: liveNumberBody({ ...row, ...adopted?.columns }), row, adopted }
      },
      async save(tx, { row, liveId, body, adopted }) {
        if (adopted) await saveAdopted(tx, row, adopted, clock.now())
        await noteSent(tx, row, body, liveId)
      },
    })

  const giveBack = async (row: NumberRow) => {
    if (row.carrierId !== importedCarrierId) {
      await carrierSlots.run(row.workspaceId, () => carrier.release(row.carrierId))
    }
    await db.delete(phoneNumbers).where(and(eq(phoneNumbers.id, row.id), eq(phoneNumbers.status, 'releasing')))
  }

  const later = async (row: NumberRow, error: unknown) => {
    const reason = reasonOf(error)
    log.warn({ event: 'phone_number_behind', number: row.phoneNumber, reason }, 'a phone number is not in step yet')
    await db
      .update(phoneNumbers)
      .set({
        syncDueAt: inMs(longerPause(row.syncAttempts)),
        syncOwner: null,
        syncAttempts: row.syncAttempts + 1,
        syncError: reason.slice(0, 500),
      })
      .where(and(eq(phoneNumbers.id, row.id), isNotNull(phoneNumbers.syncDueAt)))
  }

  /**
   * Does what is still to be done for one number; one that cannot be done now is tried again in the background.
   * @throws PlatformError, CarrierError, ResourceBusyError: why it could not be done.
   */
  return async (number: string): Promise<void> => {
    const row = await read(number)
    if (!row?.syncDueAt) return
    try {
      if (row.status === 'releasing') await giveBack(row)
      else if (row.voicePhoneNumberId === null) await register(row)
      else await update(number)
    } catch (error) {
      if (error instanceof NothingToDo) return
      await later(row, error).catch(() => {})
      throw error
    }
  }
}
