import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { purgeIdempotencyKeys } from '../api/idempotency/replay.ts'
import type { Database } from '../db/client.ts'
import { tryLease } from '../db/lease/lease.ts'
import { purge } from '../db/purge.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import { auditEntries } from '../resources/audit/table.ts'
import { purgeToolCreations } from '../resources/catalogue/tool-remote.ts'
import { purgeConversations } from '../resources/conversations/record.ts'
import { assistantVersions } from '../resources/history/table.ts'
import { messages } from '../resources/messages/table.ts'
import type { Timers } from '../runtime/timers.ts'
import { drifts } from '../voice-platform/drift/table.ts'
import { platformCalls, platformObjects } from '../voice-platform/embedded/store/table.ts'
import { webhookDeliveries } from '../webhooks/table.ts'
import type { Dependencies } from './dependencies.ts'
import type { Retention } from './retention.ts'

const hourMs = 60 * 60 * 1000
/** How long a purge outlives a crash of its process; it is renewed while it runs. */
const leaseMs = 60_000

const before = (days: number): SQL => sql`now() - ${days} * interval '1 day'`
const deliveries = webhookDeliveries
const versions = assistantVersions

/** Whether an assistant has a later version; the newest says how it is now. */
const hasLater = sql`exists (select 1 from ${versions} later
  where later.assistant_id = ${versions.assistantId} and later.id > ${versions.id})`

/** What is too old, by what it is. The words are the database's columns, read from a batch of the oldest rows. */
const old: Record<keyof Retention, (days: number) => Parameters<typeof purge>[1]> = {
  audit: (days) => ({
    ...{ table: auditEntries, id: auditEntries.id, inOrder: true },
    which: sql`f.created_at < ${before(days)}`,
  }),
  messages: (days) => ({
    ...{ table: messages, id: messages.id, inOrder: true },
    which: sql`f.created_at < ${before(days)}`,
  }),
  calls: (days) => ({
    ...{ table: platformObjects, id: platformObjects.id },
    which: sql`${platformObjects.id} in (select ${platformCalls.id} from ${platformCalls}
      where ${platformCalls.ended} and ${platformCalls.createdAt} < ${before(days)})`,
  }),
  versions: (days) => ({
    ...{ table: versions, id: versions.id },
    which: and(sql`${versions.createdAt} < ${before(days)}`, hasLater),
  }),
  deliveries: (days) => ({
    ...{ table: deliveries, id: deliveries.id },
    which: and(ne(deliveries.status, 'pending'), sql`${deliveries.updatedAt} < ${before(days)}`),
  }),
  drift: (days) => ({
    ...{ table: drifts, id: drifts.id },
    which: and(eq(drifts.state, 'resolved'), sql`${drifts.resolvedAt} < ${before(days)}`),
  }),
}

/** Rows of one statement, where there are to be fewer: a difference may have megabytes. */
const atOnce: Partial<Record<keyof Retention, number>> = { drift: 100 }

/** Drops what is older than it is kept, a batch at a time. Returns how many rows of each kind there were. */
export async function purgeOld(db: Database, retention: Retention): Promise<Partial<Record<keyof Retention, number>>> {
  const gone: Partial<Record<keyof Retention, number>> = {}
  for (const kind of ['audit', 'messages', 'calls', 'versions', 'deliveries', 'drift'] as const) {
    const days = retention[kind]
    const count = days === 0 ? 0 : await purge(db, old[kind](days), atOnce[kind])
    if (count > 0) gone[kind] = count
  }
  return gone
}

/** Purges what is older than it is kept, at the start and then every hour, in one process at a time. */
export function housekeeping(
  { db, clock, log, settings }: Dependencies,
  retention: Retention,
  timers: Timers,
): BackgroundPart {
  const purgeAll = async () => {
    const gone = await purgeOld(db, retention)
    if (Object.keys(gone).length > 0) log.info({ event: 'purged', rows: gone }, 'old rows were dropped')
    await purgeIdempotencyKeys(db, clock.now())
    await purgeToolCreations(db)
    await purgeConversations(db, settings.conversationDays)
  }
  const run = () =>
    void tryLease(db, 'housekeeping', { ttlMs: leaseMs }, purgeAll).catch((error: unknown) =>
      log.warn({ event: 'housekeeping_failed', err: error }, 'housekeeping failed'),
    )
  let stop = () => {}
  return {
    start() {
      run()
      stop = timers.every(hourMs, run)
    },
    stop: () => stop(),
  }
}
