import { and, eq, inArray } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { PlatformError } from '../errors.ts'
import { assumedBase, asTaken } from '../mirror/agreement/base.ts'
import type { Bases } from '../mirror/agreement/bases.ts'
import { isEntire, outsideChanges } from '../mirror/agreement/difference.ts'
import { liveBases } from '../mirror/agreement/table.ts'
import { liveWrites } from '../mirror/journal/table.ts'
import type { ListedObject, Recorded, RemoteKind } from '../mirror/remote-kind.ts'
import type { CallOptions } from '../transport.ts'
import type { Findings } from './findings.ts'
import type { Inspect } from './inspect.ts'

/** What objects are looked at with. */
export interface LookOptions {
  db: Database
  log: Logger
  bases: Bases
  findings: Findings
  inspect: Inspect
}

const inspectedAtOnce = 8

/** A kind as one sweep goes through it. */
export interface Visit {
  remote: RemoteKind
  call: CallOptions
  /** Objects that could not be judged. */
  passedOver: Set<string>
}

/**
 * Does the work on all items, so many at once. Throws what the first of them throws, when no work is under way any
 * more.
 */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  let hasFailed = false
  const worker = async () => {
    for (const item of left) {
      if (hasFailed) return
      await work(item).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(inspectedAtOnce, items.length) }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/**
 * Whether nothing can be looked at any more: a side is out of reach, or the sweep was ended. A read without a usable
 * response may be one object's alone; when the platform shows no other either, it is `unavailable` (`watched`).
 */
export const endsSweep = (error: unknown, { signal }: CallOptions): boolean =>
  signal?.aborted === true || (error instanceof PlatformError ? error.kind === 'unavailable' : isUnreachable(error))

/** Looks at objects of the live platform, closely where that is needed, and keeps what is found. */
export function createLook({ db, log, bases, findings, inspect }: LookOptions) {
  const basesOf = async (kind: string, records: readonly Recorded[]) => {
    if (records.length === 0) return new Map<string, ReturnType<Bases['open']>>()
    const rows = await db
      .select()
      .from(liveBases)
      .where(
        and(
          eq(liveBases.kind, kind),
          inArray(
            liveBases.ref,
            records.map(({ ref }) => ref),
          ),
        ),
      )
    return new Map(rows.map((row) => [row.ref, bases.open(row)]))
  }

  const isCreating = async (kind: string) => {
    const [row] = await db
      .select({ id: liveWrites.id })
      .from(liveWrites)
      .where(and(eq(liveWrites.kind, kind), eq(liveWrites.createSent, true)))
      .limit(1)
    return row !== undefined
  }

  /** One object that cannot be looked at hides none of the others. */
  const apart = async ({ remote, call, passedOver }: Visit, liveId: string, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (endsSweep(error, call)) throw error
      passedOver.add(liveId)
      const about = { kind: remote.kind, liveId, err: error }
      log.error({ event: 'drift_object_failed', ...about }, 'an object was passed over by the sweep')
    }
  }

  /** Looks at one of our records closely and keeps what is found. */
  const look = (visit: Visit, record: Recorded) =>
    apart(visit, record.liveId, async () => {
      const { remote, call, passedOver } = visit
      const found = await inspect.recorded(remote, record, call)
      // The write that is under way may fail, and leave what was changed outside before it.
      if (found === undefined) return void passedOver.add(record.liveId)
      if (found !== 'in_step') return findings.report(found)
      await findings.resolve({ kind: remote.kind, liveIds: [record.liveId] }, 'vanished')
    })

  /** Looks at objects without a record, unless they are known as such. */
  const atStrange = async (visit: Visit, liveIds: readonly string[], open: ReadonlySet<string>) => {
    const { remote, call, passedOver } = visit
    const unknown = liveIds.filter((id) => !open.has(id))
    if (unknown.length === 0) return
    // One of them may be what is being made.
    if (await isCreating(remote.kind)) {
      for (const id of unknown) passedOver.add(id)
      return
    }
    await forEach(unknown, (id) =>
      apart(visit, id, async () => {
        const found = await inspect.unknown(remote, id, call)
        if (found) await findings.report(found)
      }),
    )
  }

  /** Looks closely at records of ours. */
  const atRecords = (visit: Visit, records: readonly Recorded[]) => forEach(records, (record) => look(visit, record))

  /** Looks at what a list shows: closely at what differs there, and at what has no record. */
  const atPage = async (visit: Visit, page: readonly ListedObject[]) => {
    const { remote } = visit
    const liveIds = page.map(({ id }) => id)
    const records = await remote.local.recorded(db, { liveIds })
    const known = new Map(records.map((record) => [record.liveId, record]))
    const agreed = await basesOf(remote.kind, records)
    const open = await findings.openIds(remote.kind, liveIds)
    const suspect: Recorded[] = []
    for (const live of page) {
      const record = known.get(live.id)
      if (!record) continue
      await apart(visit, live.id, () => {
        const base = agreed.get(record.ref)
        const current = base?.liveId === live.id ? asTaken(base) : assumedBase(live.id, record.body)
        // What a list shows may be late or be overtaken by a write of ours: it only raises the question.
        const differs = outsideChanges(current, live, remote.agreement.defaults).length > 0
        const isPartial = remote.agreement.all && base !== undefined && !isEntire(base.seen)
        if (differs || isPartial || open.has(live.id)) suspect.push(record)
      })
    }
    await atRecords(visit, suspect)
    const strange = liveIds.filter((id) => !known.has(id))
    await atStrange(visit, strange, open)
  }

  /** Looks at what the last sweep passed over, of which no page showed a change. */
  const again = async (visit: Visit, liveIds: readonly string[]) => {
    if (liveIds.length === 0) return
    const { kind } = visit.remote
    const records = await visit.remote.local.recorded(db, { liveIds })
    const known = new Set(records.map(({ liveId }) => liveId))
    await atRecords(visit, records)
    const strange = liveIds.filter((id) => !known.has(id))
    await atStrange(visit, strange, await findings.openIds(kind, strange))
  }

  return { atRecords, atPage, again }
}
