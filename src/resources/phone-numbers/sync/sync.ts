import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Carrier } from '../../../carrier/carrier.ts'
import type { Database } from '../../../db/client.ts'
import { inMs, longerPause } from '../../../db/schedule.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Vault } from '../../../secrets/vault.ts'
import type { PlatformClient } from '../../../voice-platform/client.ts'
import { liveDiffers } from '../../../voice-platform/mirror/live-differs.ts'
import type { Mirror } from '../../../voice-platform/mirror/mirror.ts'
import type { NumberRow } from '../read/record.ts'
import { liveNumberBody, phoneNumberRemote } from '../remote.ts'
import { phoneNumbers } from '../table.ts'

export interface SyncOptions {
  db: Database
  clock: Clock
  log: Logger
  carrier: Carrier
  platform: PlatformClient
  vault: Vault
  mirror: Mirror
}

/** The number was given up or told by another writer meanwhile: there is nothing left to do. */
class NothingToDo extends Error {}

const inStep = { syncDueAt: null, syncAttempts: 0, syncError: null }

/**
 * Tells the outside what a number's row says, once the row says so itself: registers a bought number on the voice
 * platform, tells it again after a target was deleted, gives a released number back to the carrier.
 */
export function createNumberSync(options: SyncOptions) {
  const { db, clock, log, carrier, vault, mirror } = options
  const twin = phoneNumberRemote(options)
  const numbered = (number: string) => eq(phoneNumbers.phoneNumber, number)

  const read = async (number: string): Promise<NumberRow | undefined> => {
    const [row] = await db.select().from(phoneNumbers).where(numbered(number))
    return row
  }

  const register = async (row: NumberRow) => {
    const body = liveNumberBody(row, vault)
    await mirror.create(twin, row.phoneNumber, body, async (tx, live) => {
      const told = liveDiffers(body, live).length === 0
      const free = or(isNull(phoneNumbers.voicePhoneNumberId), eq(phoneNumbers.voicePhoneNumberId, live.id))
      const registered = await tx
        .update(phoneNumbers)
        .set({ voicePhoneNumberId: live.id, lastSyncedAt: clock.now(), ...(told ? inStep : { syncDueAt: sql`now()` }) })
        .where(and(eq(phoneNumbers.id, row.id), eq(phoneNumbers.status, 'owned'), free))
        .returning({ id: phoneNumbers.id })
      if (registered.length === 0) throw new NothingToDo()
    })
  }

  const tell = (number: string) =>
    mirror.update(twin, number, async () => {
      const row = await read(number)
      if (!row?.voicePhoneNumberId || row.syncDueAt === null) throw new NothingToDo()
      return {
        liveId: row.voicePhoneNumberId,
        body: liveNumberBody(row, vault),
        commit: async (tx) => {
          await tx
            .update(phoneNumbers)
            .set({ ...inStep, lastSyncedAt: clock.now() })
            .where(eq(phoneNumbers.id, row.id))
        },
      }
    })

  const giveBack = async (row: NumberRow) => {
    await carrier.release(row.carrierId)
    await db.delete(phoneNumbers).where(and(eq(phoneNumbers.id, row.id), eq(phoneNumbers.status, 'releasing')))
  }

  const later = async (row: NumberRow, error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ number: row.phoneNumber, reason }, 'a phone number is not in step yet')
    await db
      .update(phoneNumbers)
      .set({
        syncDueAt: inMs(longerPause(row.syncAttempts)),
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
      else await tell(number)
    } catch (error) {
      if (error instanceof NothingToDo) return
      await later(row, error).catch(() => {})
      throw error
    }
  }
}
