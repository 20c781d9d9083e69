import type { Transaction } from '../../db/client.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Outside } from '../mirror/agreement/survey.ts'
import { type Announce, keepFinding, resolveDrift } from './findings.ts'
import { driftLeaves } from './leaves.ts'
import { nameOf } from './name-of.ts'
import type { DriftResolution } from './table.ts'

/**
 * Keeps what was changed outside at a live object, and how it ends, in the transaction that ends it: also what no sweep
 * saw and what gives way to ours can be read in the list of drift afterwards. `ours` is what the record told before.
 */
export type NoteOutside = (
  tx: Transaction,
  of: { kind: string; ref: string },
  outside: Pick<Outside, 'base' | 'changes'>,
  ours: object,
  resolution: DriftResolution,
) => Promise<void>

/** See `NoteOutside`; `announce` is told of what no sweep saw. */
export const noteOutside =
  (options: { vault: Vault; announce: Announce }): NoteOutside =>
  async (tx, { kind, ref }, { base, changes }, ours, resolution) => {
    const about = { kind, ref, liveId: base.liveId, name: nameOf(base.sent) }
    await keepFinding(tx, options, { ...about, difference: 'changed', leaves: driftLeaves(changes, ours) })
    await resolveDrift(tx, { kind, ref }, resolution)
  }

/**
 * Keeps that the platform lost a live object, and how that ends, in the transaction that ends it; without a resolution
 * it stays open.
 */
export type NoteLost = (
  tx: Transaction,
  lost: { kind: string; ref: string; liveId: string; body: object },
  resolution?: DriftResolution,
) => Promise<void>

/** See `NoteLost`; `announce` is told of what no sweep saw. */
export const noteLost =
  (options: { vault: Vault; announce: Announce }): NoteLost =>
  async (tx, { kind, ref, liveId, body }, resolution) => {
    const name = nameOf({ id: ref, ...body })
    await keepFinding(tx, options, { kind, ref, liveId, name, difference: 'missing', leaves: [] })
    if (resolution) await resolveDrift(tx, { kind, ref }, resolution)
  }
