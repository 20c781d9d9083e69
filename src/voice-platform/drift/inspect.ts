import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { orGone } from '../errors.ts'
import { assumedBase, asTaken, seenOf } from '../mirror/agreement/base.ts'
import type { Bases } from '../mirror/agreement/bases.ts'
import { isEntire, outsideChanges } from '../mirror/agreement/difference.ts'
import { saysLittle } from '../mirror/agreement/intents.ts'
import { liveBases } from '../mirror/agreement/table.ts'
import { liveWrites } from '../mirror/journal/table.ts'
import type { Recorded, RemoteKind } from '../mirror/remote-kind.ts'
import type { CallOptions } from '../transport.ts'
import type { Finding } from './findings.ts'
import { driftLeaves } from './leaves.ts'
import { nameOf } from './name-of.ts'

/**
 * Looks at one object on both sides, so that nothing is taken for an outside change that a write of ours makes at the
 * same time.
 */
export function createInspect({ db, bases }: { db: Database; bases: Bases }) {
  /** Whether a write is under way, and which agreement holds: in one statement, so that both are of one time. */
  const stateOf = async (kind: string, ref: string) => {
    const [row] = await db
      .select({
        busy: sql<boolean>`exists (select 1 from ${liveWrites} where ${and(eq(liveWrites.kind, kind), eq(liveWrites.ref, ref))})`,
        revision: sql<string | null>`(select ${liveBases.revision} from ${liveBases}
          where ${and(eq(liveBases.kind, kind), eq(liveBases.ref, ref))})`,
      })
      .from(sql`(values (1)) as one`)
    return { busy: row?.busy ?? true, revision: row?.revision ?? null }
  }

  return {
    /**
     * What differs of a record and its live object, `in_step`, or undefined while a write of it is under way: that
     * brings both sides together itself.
     */
    async recorded(remote: RemoteKind, { ref, liveId }: Recorded, call: CallOptions) {
      const before = await stateOf(remote.kind, ref)
      if (before.busy) return undefined
      const live = await orGone(remote.live.get(liveId, call))
      const [row] = await remote.local.recorded(db, { liveIds: [liveId] })
      const base = await bases.read(db, remote.kind, ref)
      const after = await stateOf(remote.kind, ref)
      if (after.busy || after.revision !== before.revision || row?.ref !== ref) return undefined
      const about = { kind: remote.kind, ref, liveId, name: row.name }
      if (!live) return { ...about, difference: 'missing', leaves: [] } satisfies Finding
      const agreed = base ? asTaken(base) : assumedBase(liveId, row.body)
      const changes = saysLittle(agreed.sent, live) ? [] : outsideChanges(agreed, live, remote.agreement.defaults)
      if (changes.length === 0) {
        // Agreed before all fields were compared: what it has beside what it was sent is what later changes are told
        // from.
        const isPartial = remote.agreement.all && base?.liveId === liveId && !isEntire(base.seen)
        if (isPartial) await bases.complete(db, remote.kind, ref, { ...base, seen: seenOf(base.sent, live, true) })
        return 'in_step' as const
      }
      return { ...about, difference: 'changed', leaves: driftLeaves(changes, row.body) } satisfies Finding
    },

    /** An object that nobody here knows, if it is still there and nobody has made it his own meanwhile. */
    async unknown(remote: RemoteKind, liveId: string, call: CallOptions) {
      const live = await orGone(remote.live.get(liveId, call))
      if (!live) return undefined
      const [row] = await remote.local.recorded(db, { liveIds: [liveId] })
      if (row) return undefined
      const about = { kind: remote.kind, ref: null, liveId, name: nameOf(live) }
      return { ...about, difference: 'unmanaged', leaves: [] } satisfies Finding
    },
  }
}

export type Inspect = ReturnType<typeof createInspect>
