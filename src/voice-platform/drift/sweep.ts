import { and, eq, inArray } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { PlatformError } from '../errors.ts'
import { assumedBase } from '../mirror/agreement/base.ts'
import type { Bases } from '../mirror/agreement/bases.ts'
import { outsideChanges } from '../mirror/agreement/difference.ts'
import { liveBases } from '../mirror/agreement/table.ts'
import { liveWrites } from '../mirror/journal/table.ts'
import type { CallOptions } from '../transport.ts'
import type { Findings } from './findings.ts'
import type { Inspect } from './inspect.ts'
import type { ListedObject, Recorded, SweptKind } from './swept-kind.ts'

interface SweepOptions {
  db: Database
  log: Logger
  bases: Bases
  findings: Findings
  inspect: Inspect
  kinds: readonly SweptKind[]
}

/** What one sweep is to look at, and what it tells meanwhile. */
export interface SweepRun {
  /** Up to which change of the platform's each kind was looked at; none: everything is. */
  cursors: Readonly<Record<string, string>>
  /** Looks at everything, which also shows what the platform lost. */
  full: boolean
  call: CallOptions
  /** Told after each page, how many objects were looked at; throws to end the sweep. */
  progress(checked: number): Promise<void>
}

/** Changes of the last minute are looked at again: several may share a time, and a list may be late. */
const overlapMs = 60_000
const inspectedAtOnce = 8
const recordsAtOnce = 1_000

/** Does the work on all items, so many at once. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(inspectedAtOnce, items.length) }, worker))
}

const since = (cursor: string | undefined) =>
  cursor === undefined ? undefined : new Date(Date.parse(cursor) - overlapMs).toISOString()

/**
 * Whether nothing can be looked at any more: a side is out of reach, or the sweep was ended. A read without a usable response may
 * be one object's alone; after several in a row the platform counts as `unavailable` (`createBreaker`).
 */
const endsSweep = (error: unknown, { signal }: CallOptions): boolean =>
  signal?.aborted === true || (error instanceof PlatformError ? error.kind === 'unavailable' : isUnreachable(error))

/** Looks through the live platform for what differs from our records. */
export function createSweep({ db, log, bases, findings, inspect, kinds }: SweepOptions) {
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
  const apart = async (kind: string, liveId: string, call: CallOptions, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (endsSweep(error, call)) throw error
      log.error({ event: 'drift_object_failed', kind, liveId, err: error }, 'an object was passed over by the sweep')
    }
  }

  /** Looks at one of our records closely and keeps what is found. */
  const look = (swept: SweptKind, record: Recorded, call: CallOptions) =>
    apart(swept.kind, record.liveId, call, async () => {
      const found = await inspect.recorded(swept, record, call)
      if (found === undefined) return
      if (found !== 'in_step') return findings.report(found)
      await findings.resolve({ kind: swept.kind, liveIds: [record.liveId] }, 'vanished')
    })

  const lookAtPage = async (swept: SweptKind, page: readonly ListedObject[], call: CallOptions) => {
    const liveIds = page.map(({ id }) => id)
    const records = await swept.recorded(db, { liveIds })
    const known = new Map(records.map((record) => [record.liveId, record]))
    const agreed = await basesOf(swept.kind, records)
    const open = await findings.openIds(swept.kind, liveIds)
    const suspect: Recorded[] = []
    const strange: string[] = []
    for (const live of page) {
      const record = known.get(live.id)
      if (!record) {
        strange.push(live.id)
        continue
      }
      await apart(swept.kind, live.id, call, () => {
        const base = agreed.get(record.ref)
        const current = base?.liveId === live.id ? base : assumedBase(live.id, record.body)
        // What a list shows may be late or be overtaken by a write of ours: it only raises the question.
        const differs = outsideChanges(current, live, swept.defaults).length > 0
        if (differs || open.has(live.id)) suspect.push(record)
      })
    }
    await forEach(suspect, (record) => look(swept, record, call))
    // An object without a record may be one that is being made.
    if (strange.length === 0 || (await isCreating(swept.kind))) return
    const unknown = strange.filter((id) => !open.has(id))
    await forEach(unknown, (id) =>
      apart(swept.kind, id, call, async () => {
        const found = await inspect.unknown(swept, id, call)
        if (found) await findings.report(found)
      }),
    )
  }

  /** Records whose objects no page showed are asked for one by one. */
  const lookForMissing = async (swept: SweptKind, seen: ReadonlySet<string>, call: CallOptions) => {
    for (let after = ''; ; ) {
      const records = await swept.recorded(db, { after, limit: recordsAtOnce })
      const unseen = records.filter(({ liveId }) => !seen.has(liveId))
      await forEach(unseen, (record) => look(swept, record, call))
      const last = records.at(-1)
      if (!last || records.length < recordsAtOnce) return
      after = last.ref
    }
  }

  /**
   * Objects that had no record and are gone, or have one by now, differ no more; nor do those whose record is gone: it may
   * have been deleted after it was looked at and before what was found was kept.
   */
  const endVanished = async (swept: SweptKind, seen: ReadonlySet<string>) => {
    const open = await findings.open(swept.kind)
    for (let from = 0; from < open.length; from += recordsAtOnce) {
      const some = open.slice(from, from + recordsAtOnce)
      const records = await swept.recorded(db, { liveIds: some.map(({ liveId }) => liveId) })
      const recorded = new Set(records.map(({ liveId }) => liveId))
      const vanished = some.filter(({ liveId, isUnmanaged }) =>
        isUnmanaged ? recorded.has(liveId) || !seen.has(liveId) : !recorded.has(liveId),
      )
      const liveIds = vanished.map(({ liveId }) => liveId)
      if (liveIds.length > 0) await findings.resolve({ kind: swept.kind, liveIds }, 'vanished')
    }
  }

  /** Sweeps all kinds. Returns the cursors for the next one, and how many objects were looked at. */
  return async ({ cursors, full, call, progress }: SweepRun) => {
    const next: Record<string, string> = { ...cursors }
    let checked = 0
    for (const swept of kinds) {
      const seen = new Set<string>()
      for await (const page of swept.pages(full ? undefined : since(cursors[swept.kind]), call)) {
        await lookAtPage(swept, page, call)
        for (const { id, updatedAt } of page) {
          seen.add(id)
          const last = next[swept.kind]
          if (updatedAt && (last === undefined || Date.parse(updatedAt) > Date.parse(last))) {
            next[swept.kind] = updatedAt
          }
        }
        checked += page.length
        await progress(checked)
      }
      if (!full) continue
      await lookForMissing(swept, seen, call)
      await endVanished(swept, seen)
    }
    return { cursors: next, checked }
  }
}

export type Sweep = ReturnType<typeof createSweep>
