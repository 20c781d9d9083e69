import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { Carrier } from '../../carrier/carrier.ts'
import type { Transaction } from '../../db/client.ts'
import type { Clock } from '../../runtime/clock.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { orGone } from '../../voice-platform/errors.ts'
import type { LiveNumberBody } from '../../voice-platform/mapping/number.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import type { CallOptions } from '../../voice-platform/transport.ts'
import { assistants } from '../assistants/table.ts'
import { numberAdopter } from './outside/adopt.ts'
import { liveNumberBody } from './read/record.ts'
import { abandon } from './routing/routing.ts'
import { phoneNumbers } from './table.ts'

type Live = PlatformClient['phoneNumbers']
type CreateBody = Parameters<Live['create']>[0]
type UpdateBody = Parameters<Live['update']>[1]

/** Has the assistant that a number leads to, and that shows it, say which remote object the number has. */
export async function showRemote(tx: Transaction, phoneNumber: string, liveId: string, at: Date): Promise<void> {
  const target = tx
    .select({ id: phoneNumbers.assistantId })
    .from(phoneNumbers)
    .where(eq(phoneNumbers.phoneNumber, phoneNumber))
  await tx
    .update(assistants)
    .set({ phoneNumberId: liveId, updatedAt: at })
    .where(and(inArray(assistants.id, target), eq(assistants.phoneNumber, phoneNumber)))
}

/** Gives a number another remote object; the assistant that shows it follows. */
async function rebindNumber(tx: Transaction, phoneNumber: string, liveId: string, at: Date): Promise<void> {
  await tx
    .update(phoneNumbers)
    .set({ voicePhoneNumberId: liveId, updatedAt: at })
    .where(eq(phoneNumbers.phoneNumber, phoneNumber))
  await showRemote(tx, phoneNumber, liveId, at)
}

interface RemoteOptions {
  platform: PlatformClient
  carrier: Carrier
  clock: Clock
}

/** A phone number and its remote object, which is found by the number itself. */
export function phoneNumberRemote({ platform, carrier, clock }: RemoteOptions): RemoteKind<LiveNumberBody> {
  const { phoneNumbers: live } = platform
  const update: RemoteKind<LiveNumberBody>['live']['update'] = (id, { number: _fixed, ...body }, options) =>
    live.update(id, body as unknown as UpdateBody, options)
  /** The object that holds a number. What a list shows may be gone: the number may have been released before. */
  const holderOf = async (number: string, options: CallOptions | undefined) => {
    const listed = await live.findByNumber(number, options)
    return listed ? orGone(live.get(listed.id, options)) : undefined
  }
  return {
    kind: 'phone_number',
    agreement: { defaults: {}, always: ['provider'] },
    live: {
      // The number is ours: an object that already holds it is the one that an import without a response made, or
      // another process, which may know better what the record says by now. What differs is told once it is registered.
      async create(body, options) {
        const held = await holderOf(body.number, options)
        if (held) return held
        return live.create({ ...body, ...carrier.credentials } as unknown as CreateBody, options)
      },
      update,
      get: live.get,
      delete: live.delete,
      pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
      async find(ref, _since, options) {
        const held = await live.findByNumber(ref, options)
        return held ? [held] : []
      },
    },
    local: {
      async read(db, ref) {
        const [row] = await db
          .select()
          .from(phoneNumbers)
          .where(and(eq(phoneNumbers.phoneNumber, ref), eq(phoneNumbers.status, 'owned')))
        return row?.voicePhoneNumberId ? { liveId: row.voicePhoneNumberId, body: liveNumberBody(row) } : undefined
      },
      async recorded(db, which) {
        const registered = and(eq(phoneNumbers.status, 'owned'), isNotNull(phoneNumbers.voicePhoneNumberId))
        const select = db.select().from(phoneNumbers)
        const rows =
          'liveIds' in which
            ? await select.where(and(registered, inArray(phoneNumbers.voicePhoneNumberId, uuidsIn(which.liveIds))))
            : await select
                .where(and(registered, gt(phoneNumbers.phoneNumber, which.after)))
                .orderBy(asc(phoneNumbers.phoneNumber))
                .limit(which.limit)
        return rows.flatMap((row) => {
          const { phoneNumber: ref, voicePhoneNumberId: liveId } = row
          return liveId ? [{ ref, liveId, name: row.name ?? ref, body: liveNumberBody(row) }] : []
        })
      },
      remove: (tx, ref) => abandon(tx, ref, { at: clock.now() }),
      adopt: numberAdopter({ clock }),
      rebind: (tx, ref, liveId) => rebindNumber(tx, ref, liveId, clock.now()),
    },
  }
}
