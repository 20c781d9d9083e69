import type { AccountContext } from '../../api/context.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Transaction } from '../../db/client.ts'
import { recordedIn } from '../../voice-platform/mirror/agreement/base.ts'
import { merge } from '../../voice-platform/mirror/agreement/merge.ts'
import type { Outside } from '../../voice-platform/mirror/agreement/survey.ts'
import { readLive } from '../../voice-platform/mirror/reapply.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import type { Composition } from '../../voice-platform/mirror/write/update.ts'
import type { Keep } from './schema.ts'

/** How a difference ends for which a side is chosen. */
export const resolutions = { ours: 'kept_ours', theirs: 'kept_theirs', merge: 'merged' } as const

/** One record and its live object, and what is done where both are there, or the object is gone. */
interface Sides {
  keep: Keep
  remote: RemoteKind
  ref: string
  liveId: string
  /** Turns a failed live write into the operation's own error. */
  write<T>(work: Promise<T>): Promise<T>
  /** Brings both together. */
  agree(): Promise<unknown>
  /** Deletes the record. */
  remove(): Promise<unknown>
}

/**
 * Brings a record and its live object together (contract: drift 15). A live object that is gone is made again, or its
 * record is deleted. Returns whether the record is still there. Throws 412 and what `write` makes of failures.
 * @param input the values that the resource is read by
 */
export async function reconcileSides(ctx: AccountContext, input: object, sides: Sides): Promise<boolean> {
  const { keep, remote, ref, liveId, write, agree, remove } = sides
  const live = await write(readLive(remote, liveId, { signal: ctx.signal }))
  if (live) await agree()
  else if (keep === 'theirs') await remove()
  else await write(ctx.mirror.restore(remote, ref, () => requireMatch(ctx, input)))
  return live !== undefined || keep !== 'theirs'
}

/** What a record becomes with what was changed outside. */
interface Adopted {
  /** What it then composes by itself. */
  composed: object
  /** Saves it; `sent` is its whole live body. */
  save(tx: Transaction, sent: object): Promise<void>
}

/** The two sides of a record with a difference. */
interface Difference<Body extends object> {
  /** The live id of the record, and the body that `local.read` gives of it. */
  recorded: { liveId: string; body: Body }
  /** What was changed outside, if anything was. */
  outside: Outside<Body> | undefined
  /** The record with that taken on, where it can be. */
  adopted: Adopted | undefined
}

/** What keeps a side: the body that the live object gets, and what is saved of what was changed there. */
interface KeptSide<Body extends object> extends Composition<Body> {
  save?: Adopted['save']
}

/**
 * What keeps a side of a resource without a history of its own. `theirs` and `merge` are the same to it, as
 * nothing is set besides.
 */
export function keptSide<Body extends object>(
  keep: Keep,
  { local }: RemoteKind<Body>,
  { recorded, outside, adopted }: Difference<Body>,
): KeptSide<Body> {
  const kept = { ...recorded, lazy: true, resolution: resolutions[keep] }
  if (keep === 'ours' || !outside || !adopted) return { ...kept, same: true }
  const { base, changes } = outside
  return {
    ...kept,
    body: merge({ ...base, composed: recordedIn(base, local.asSent) }, changes, recorded.body).body,
    // What the record makes of itself, of which it has taken what it has fields for.
    composed: adopted.composed as Body,
    exact: true,
    save: adopted.save,
  }
}

/** Saves what keeps a side, where something of the record changes. */
export async function saveKept<Body extends object>(
  tx: Transaction,
  { save }: KeptSide<Body>,
  sent: Body,
): Promise<void> {
  await save?.(tx, sent)
}
