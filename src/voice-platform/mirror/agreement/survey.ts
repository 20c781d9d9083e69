import type { Database, Transaction } from '../../../db/client.ts'
import type { Json } from '../../../json/object.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { type Entry, EntryLostError } from '../journal/entry.ts'
import type { RemoteKind } from '../remote-kind.ts'
import { assumedBase, type Base } from './base.ts'
import type { Bases } from './bases.ts'
import { outsideChanges } from './difference.ts'
import { openIntents, saysLittle, withoutAttempts } from './intents.ts'
import type { Leaf } from './leaves.ts'
import { underNewIds } from './renamed.ts'

/** A live object that others may have changed since both sides agreed. */
export interface Outside<Body extends object = object> {
  base: Base<Body>
  /** Which agreement that is; undefined for a record that was written before they were kept. */
  revision?: string
  /** The live object, without what unfinished writes of ours made of it and with what nobody may take from it. */
  live: Json
  changes: Leaf[]
  /** Whether the base stands under other ids than it was kept with: see `underNewIds`. */
  isRenamed?: boolean
  /** The same without what was taken from it. */
  found: { live: Json; changes: Leaf[] }
}

/**
 * Takes what was changed outside into a record, in a transaction: the record says it as far as it has fields for it, and
 * the history has it. `sent` is the live body that the record has from then on. Returns what the record composes by
 * itself then.
 */
export type Adopt = (tx: Transaction, ref: string, outside: Outside, sent: object) => Promise<object>

interface SurveyOptions {
  db: Database
  bases: Bases
  vault: Vault
}

/** Compares live objects with what both sides agreed on, for those who are about to write. */
export function createSurvey({ db, bases, vault }: SurveyOptions) {
  return async <Body extends object>(
    entry: Entry,
    remote: RemoteKind<Body>,
    liveId: string,
    live: object | undefined,
  ): Promise<Outside<Body>> => {
    const { kind, ref } = entry
    const stored = await bases.read<Body>(db, kind, ref)
    const recorded = stored?.liveId === liveId ? undefined : await remote.local.read(db, ref)
    const base = recorded ? assumedBase(liveId, recorded.body) : stored
    // A record that goes while it is this writer's turn was deleted by who took the turn over.
    if (!base) throw new EntryLostError(entry)
    const revision = recorded ? undefined : stored?.revision
    if (!live || saysLittle(base.sent, live)) {
      const found = { live: { ...live }, changes: [] }
      return { base, revision, ...found, found }
    }
    const { defaults, keep } = remote.agreement ?? {}
    const theirs = withoutAttempts({ base, revision }, live, openIntents(vault, entry.intents), defaults)
    const isChanged = outsideChanges(base, theirs, defaults).length > 0
    // Only what the record takes on has to name what the record names.
    const renamed = isChanged ? await underNewIds(db, base, { ...theirs }) : undefined
    const sides = renamed ?? { base, live: theirs }
    const seen = (body: object) => ({ live: { ...body }, changes: outsideChanges(sides.base, body, defaults) })
    const found = seen(sides.live)
    const taken = keep && found.changes.length > 0 ? seen(await keep(db, sides.base.sent, sides.live)) : found
    return { base: sides.base, revision, isRenamed: renamed !== undefined, ...taken, found }
  }
}

export type Survey = ReturnType<typeof createSurvey>
