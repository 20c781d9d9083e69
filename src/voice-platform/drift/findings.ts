import { createHash } from 'node:crypto'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../db/client.ts'
import type { Vault } from '../../secrets/vault.ts'
import { type DriftDifference, type DriftResolution, drifts } from './table.ts'

/** What the leaves are sealed for; see `Vault.seal`. */
export const leavesContext = 'drifts.leaves'

/** One leaf that differs: what both sides agreed on, what our record says, what the platform has. */
export interface DriftLeaf {
  path: string
  base?: unknown
  ours?: unknown
  theirs?: unknown
}

/** What a sweep found. */
export interface Finding {
  kind: string
  /** Null for an object that has no record. */
  ref: string | null
  liveId: string
  name: string
  difference: DriftDifference
  leaves: DriftLeaf[]
}

/** Told of each finding that is new, in the transaction that keeps it. */
export type Announce = (tx: Transaction, finding: Finding) => Promise<void>

interface FindingOptions {
  db: Database
  vault: Vault
  announce: Announce
}

const isOpen = eq(drifts.state, 'open')

/** Ends what is known to differ of a resource, or of live objects, in the transaction that ends it. */
export async function resolveDrift(
  executor: Executor,
  of: { kind: string } & ({ ref: string } | { liveIds: readonly string[] }),
  resolution: DriftResolution,
): Promise<void> {
  const which = 'ref' in of ? eq(drifts.ref, of.ref) : inArray(drifts.liveId, [...of.liveIds])
  await executor
    .update(drifts)
    .set({ state: 'resolved', resolution, resolvedAt: sql`now()` })
    .where(and(eq(drifts.kind, of.kind), which, isOpen))
}

/** Notes a finding; one that is known already changes only when it is another one by now. */
export async function keepFinding(
  tx: Transaction,
  { vault, announce }: { vault: Vault; announce: Announce },
  finding: Finding,
): Promise<void> {
  const plain = JSON.stringify(finding.leaves)
  const digest = createHash('sha256').update(`${finding.difference}:${finding.ref}:${plain}`).digest('hex')
  const mine = and(eq(drifts.kind, finding.kind), eq(drifts.liveId, finding.liveId), isOpen)
  const [known] = await tx.select({ id: drifts.id, digest: drifts.digest }).from(drifts).where(mine).for('update')
  if (known?.digest === digest) return
  const { leaves: _sealed, ...fields } = finding
  const values = { ...fields, leaves: vault.seal(plain, leavesContext), digest }
  if (known) {
    await tx
      .update(drifts)
      .set({ ...values, changedAt: sql`now()` })
      .where(eq(drifts.id, known.id))
    return
  }
  const made = await tx.insert(drifts).values(values).onConflictDoNothing().returning({ id: drifts.id })
  if (made.length > 0) await announce(tx, finding)
}

/** How much differs right now. */
export async function countDrift(db: Executor): Promise<number> {
  const [row] = await db.select({ count: count() }).from(drifts).where(isOpen)
  return row?.count ?? 0
}

/** Keeps what sweeps find. */
export function createFindings({ db, vault, announce }: FindingOptions) {
  return {
    /** The live ids of a kind at which something differs already. */
    async openIds(kind: string, liveIds: readonly string[]): Promise<Set<string>> {
      if (liveIds.length === 0) return new Set()
      const rows = await db
        .select({ liveId: drifts.liveId })
        .from(drifts)
        .where(and(eq(drifts.kind, kind), inArray(drifts.liveId, [...liveIds]), isOpen))
      return new Set(rows.map(({ liveId }) => liveId))
    },

    /** Notes a finding; see `keepFinding`. */
    report: (finding: Finding): Promise<void> => db.transaction((tx) => keepFinding(tx, { vault, announce }, finding)),

    /** The objects at which something differs, as far as is known; `isUnmanaged`: they have no record. */
    async open(kind: string): Promise<{ liveId: string; isUnmanaged: boolean }[]> {
      const rows = await db
        .select({ liveId: drifts.liveId, difference: drifts.difference })
        .from(drifts)
        .where(and(eq(drifts.kind, kind), isOpen))
      return rows.map(({ liveId, difference }) => ({ liveId, isUnmanaged: difference === 'unmanaged' }))
    },

    resolve: (of: Parameters<typeof resolveDrift>[1], resolution: DriftResolution) => resolveDrift(db, of, resolution),
  }
}

export type Findings = ReturnType<typeof createFindings>
