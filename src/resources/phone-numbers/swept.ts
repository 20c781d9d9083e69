import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { type SweptKind, uuidsIn } from '../../voice-platform/drift/swept-kind.ts'
import { liveNumberBody } from './remote.ts'
import { phoneNumbers } from './table.ts'

/** Registered phone numbers, as the sweep for drift sees them. */
export function sweptNumbers({ phoneNumbers: live }: PlatformClient): SweptKind {
  return {
    kind: 'phone_number',
    defaults: {},
    pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
    get: live.get,
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
      return rows.flatMap((row) =>
        row.voicePhoneNumberId
          ? [
              {
                ref: row.phoneNumber,
                liveId: row.voicePhoneNumberId,
                name: row.name ?? row.phoneNumber,
                body: liveNumberBody(row),
              },
            ]
          : [],
      )
    },
  }
}
