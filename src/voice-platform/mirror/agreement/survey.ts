import type { Database, Transaction } from '../../../db/client.ts'
import type { Json } from '../../../json/object.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { type Entry, EntryLostError } from '../journal/entry.ts'
import type { RemoteKind } from '../remote-kind.ts'
import { assumedBase, type Base, recordedIn } from './base.ts'
import type { Bases } from './bases.ts'
import { outsideChanges } from './difference.ts'
import { openIntents, saysLittle, withoutAttempts } from './intents.ts'
import { type Leaf, leavesBetween } from './leaves.ts'
import { underNewNamings } from './renamed.ts'

/** A live object that others may have changed since both sides agreed. */
export interface Outside<Body extends object = object> {
  base: Base<Body>
  /** Which agreement that is; undefined for a record that was written before they were kept. */
  revision?: string
  /** The live object, without what unfinished writes of ours made of it and with what nobody may take from it. */
  live: Json
  changes: Leaf[]
  /** Whether the base names things otherwise than it was kept: see `underNewNamings`. */
  isRenamed?: boolean
  /** The live object and its changes as they were found, before anything was taken from them. */
  found: { live: Json; changes: Leaf[] }
}

/**
 * Takes what was changed outside into a record, in a transaction: the record says it as far as it has fields for it,
 * and the history has it. `sent` is the live body that the record has from then on, and `recorded` the one that it was
 * made of. Returns what the record composes by itself then. Throws where what the record names was made again or
 * renamed meanwhile.
 */
export type Adopt = (
  tx: Transaction,
  ref: string,
  outside: Outside,
  bodies: { sent: object; recorded: object },
) => Promise<object>

interface SurveyOptions {
  db: Database
  bases: Bases
  vault: Vault
}

/**
 * A record's body when both sides agreed and now, where it has changed since: what it names was made again, or renamed.
 */
function movedSince<Body extends object>(
  base: Base<Body>,
  remote: RemoteKind<Body>,
  recorded: { liveId: string; body: Body } | undefined,
) {
  if (recorded?.liveId !== base.liveId) return undefined
  const before = recordedIn(base, remote.local.asSent)
  return leavesBetween(before, recorded.body).length > 0 ? { before, now: recorded.body } : undefined
}

/** Compares live objects with what both sides agreed on, for those who are about to write, or read both sides. */
export function createSurvey({ db, bases, vault }: SurveyOptions) {
  return async <Body extends object>(
    entry: Pick<Entry, 'kind' | 'ref' | 'action' | 'intents' | 'inherited'>,
    remote: RemoteKind<Body>,
    liveId: string,
    live: object | undefined,
    isRecovered = false,
  ): Promise<Outside<Body>> => {
    const { kind, ref } = entry
    const stored = await bases.read<Body>(db, kind, ref)
    const recorded = stored?.liveId === liveId ? undefined : await remote.local.read(db, ref)
    const base = recorded ? assumedBase(liveId, recorded.body) : stored
    // A record that goes while this is its only writer was deleted by who took the row over.
    if (!base) throw new EntryLostError(entry)
    const revision = recorded ? undefined : stored?.revision
    const isSilent = !live || saysLittle(base.sent, live)
    const { defaults, keep } = remote.agreement
    const theirs = isSilent
      ? { ...live }
      : withoutAttempts({ base, revision }, live, openIntents(vault, entry.intents), defaults)
    const isChanged = !isSilent && outsideChanges(base, theirs, defaults).length > 0
    // A record that follows what it names has a row in the journal until its live object does, too.
    const mayFollow = !recorded && (isChanged || isRecovered || entry.inherited)
    const moved = mayFollow ? movedSince(base, remote, await remote.local.read(db, ref)) : undefined
    // Only what the record takes on has to name what the record names.
    const renamed = isChanged || moved ? await underNewNamings(db, { base, live: { ...theirs } }, moved) : undefined
    const sides = renamed ?? { base, live: { ...theirs } }
    const seen = (body: object) => ({
      live: { ...body },
      changes: isSilent ? [] : outsideChanges(sides.base, body, defaults),
    })
    const found = seen(sides.live)
    const taken = keep && found.changes.length > 0 ? seen(await keep(db, sides.base.sent, sides.live)) : found
    return { base: sides.base, revision, isRenamed: renamed !== undefined, ...taken, found }
  }
}

export type Survey = ReturnType<typeof createSurvey>
