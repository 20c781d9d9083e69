import type { Clock } from '../../runtime/clock.ts'
import { PlatformError } from '../errors.ts'
import type { RemoteKind } from '../mirror/remote-kind.ts'
import { showsAnother } from '../shows-another.ts'
import type { CallOptions } from '../transport.ts'
import { createLook, endsSweep, type LookOptions, type Visit } from './look.ts'
import { watched } from './watched.ts'

interface SweepOptions extends LookOptions {
  clock: Clock
  kinds: readonly RemoteKind[]
}

/** What one sweep is to look at, and what it tells meanwhile. */
export interface SweepRun {
  /** Up to which change of the platform's each kind was looked at; none: everything is. */
  cursors: Readonly<Record<string, string>>
  /** By kind: the objects that the last sweep passed over. */
  passedOver: Readonly<Record<string, readonly string[]>>
  /** Looks at everything, which also shows what the platform lost. */
  full: boolean
  call: CallOptions
  /** Told after each page, how many objects were looked at; throws to end the sweep. */
  progress(checked: number): Promise<void>
}

/** Changes of the last minute are looked at again: several may share a time, and a list may be late. */
const overlapMs = 60_000
const recordsAtOnce = 1_000
/** Of a kind. What is beyond waits until everything is looked at. */
const maxPassedOver = 1_000

const since = (cursor: string | undefined) =>
  cursor === undefined ? undefined : new Date(Date.parse(cursor) - overlapMs).toISOString()

/**
 * The later of a cursor and a change, but at most `bound`: what was listed before that is not known to be unchanged
 * since.
 */
function cursorAfter(cursor: string | undefined, updatedAt: string, bound: number): string | undefined {
  const moved = Math.min(Date.parse(updatedAt), bound)
  const isLater = cursor === undefined ? !Number.isNaN(moved) : moved > Date.parse(cursor)
  return isLater ? new Date(moved).toISOString() : cursor
}

/** Looks through the live platform for what differs from our records. */
export function createSweep({ kinds, clock, ...options }: SweepOptions) {
  const { db, findings } = options
  const look = createLook(options)

  /** Records whose objects no page showed are asked for one by one. */
  const lookForMissing = async (visit: Visit, seen: ReadonlySet<string>) => {
    for (let after = ''; ; ) {
      const records = await visit.remote.local.recorded(db, { after, limit: recordsAtOnce })
      const unseen = records.filter(({ liveId }) => !seen.has(liveId))
      await look.atRecords(visit, unseen)
      const last = records.at(-1)
      if (!last || records.length < recordsAtOnce) return
      after = last.ref
    }
  }

  /**
   * Objects that had no record and are gone, or have one by now, differ no more; nor do those whose record is gone: it
   * may have been deleted after it was looked at and before what was found was kept.
   */
  const endVanished = async (remote: RemoteKind, seen: ReadonlySet<string>) => {
    const open = await findings.open(remote.kind)
    for (let from = 0; from < open.length; from += recordsAtOnce) {
      const some = open.slice(from, from + recordsAtOnce)
      const records = await remote.local.recorded(db, { liveIds: some.map(({ liveId }) => liveId) })
      const recorded = new Set(records.map(({ liveId }) => liveId))
      const vanished = some.filter(({ liveId, isUnmanaged }) =>
        isUnmanaged ? recorded.has(liveId) || !seen.has(liveId) : !recorded.has(liveId),
      )
      const liveIds = vanished.map(({ liveId }) => liveId)
      if (liveIds.length > 0) await findings.resolve({ kind: remote.kind, liveIds }, 'vanished')
    }
  }

  const showsOther = async (remote: RemoteKind, failed: ReadonlySet<string>, call: CallOptions) => {
    for (const { live } of [remote, ...kinds.filter(({ kind }) => kind !== remote.kind)]) {
      const shown = showsAnother(live, failed, call)
      const isShown = await shown.catch((error: unknown) => {
        if (error instanceof PlatformError) return false
        throw error
      })
      if (isShown) return true
    }
    return false
  }

  /**
   * Sweeps all kinds. Returns the cursors for the next one, what it is to look at again, and how many objects were
   * looked at. A kind that the platform does not list is told after the others.
   */
  return async ({ cursors, passedOver: formerly, full, call, progress }: SweepRun) => {
    const next: Record<string, string> = { ...cursors }
    const again: Record<string, string[]> = {}
    let checked = 0

    const goThrough = async (kind: RemoteKind) => {
      const remote = watched(kind, (failed) => showsOther(kind, failed, call))
      const visit: Visit = { remote, call, passedOver: new Set() }
      const seen = new Set<string>()
      const startedAt = clock.now().getTime()
      for await (const page of remote.live.pages(full ? undefined : since(cursors[remote.kind]), call)) {
        await look.atPage(visit, page)
        for (const { id, updatedAt } of page) {
          seen.add(id)
          const cursor = cursorAfter(next[remote.kind], updatedAt, startedAt)
          if (cursor !== undefined) next[remote.kind] = cursor
        }
        checked += page.length
        await progress(checked)
      }
      if (full) {
        await lookForMissing(visit, seen)
        await endVanished(remote, seen)
      } else {
        const unseen = formerly[remote.kind]?.filter((id) => !seen.has(id)) ?? []
        await look.again(visit, unseen)
      }
      again[remote.kind] = [...visit.passedOver].slice(0, maxPassedOver)
    }

    const unlisted: PlatformError[] = []
    for (const kind of kinds) {
      await goThrough(kind).catch((error: unknown) => {
        if (endsSweep(error, call) || !(error instanceof PlatformError)) throw error
        unlisted.push(error)
      })
    }
    for (const error of unlisted) throw error
    return { cursors: next, passedOver: again, checked }
  }
}

export type Sweep = ReturnType<typeof createSweep>
