import type { AccountContext } from '../../api/context.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Transaction } from '../../db/client.ts'
import { recordedIn } from '../../voice-platform/mirror/agreement/base.ts'
import { merge } from '../../voice-platform/mirror/agreement/merge.ts'
import { readLive } from '../../voice-platform/mirror/reapply.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import type { Adopted, Composition, Seen } from '../../voice-platform/mirror/write/update.ts'
import type { Keep } from './schema.ts'

/** How a difference ends for which a side is chosen. */
const resolutions = { ours: 'kept_ours', theirs: 'kept_theirs', merge: 'merged' } as const

/** What an update that keeps a side does, and how the difference ends. */
export const endingOf = (keep: Keep) =>
  ({ mode: keep === 'ours' ? 'ours' : 'theirs', resolution: resolutions[keep] }) as const

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
  else if (keep === 'theirs') {
    await ctx.mirror.noteLost(remote, ref, liveId)
    await remove()
  } else {
    await write(ctx.mirror.restore(remote, ref, () => requireMatch(ctx, input), resolutions[keep]))
  }
  return live !== undefined || keep !== 'theirs'
}

/** The two sides of a record. */
interface Difference<Body extends object, Adoption extends Adopted> {
  /** The live id of the record, the body that `local.read` gives of it, and the places at which `ours` sets that. */
  recorded: Pick<Composition<Body>, 'liveId' | 'body' | 'named'>
  /** What was changed outside, if anything was. */
  seen: Seen<Body, Adoption> | undefined
  /** Saves what the record takes on, if anything; `sent` is its whole live body. */
  save(tx: Transaction, sent: object, adopted?: Adoption): Promise<void>
}

/** What keeps a side: the body that the live object gets, and what is saved. */
interface KeptSide<Body extends object> extends Composition<Body> {
  save(tx: Transaction, sent: object): Promise<void>
}

/**
 * What keeps a side of a resource without a history of its own. `theirs` and `merge` are the same to it, as
 * nothing is set besides.
 */
export function keptSide<Body extends object, Adoption extends Adopted>(
  keep: Keep,
  { local }: RemoteKind<Body>,
  { recorded, seen, save }: Difference<Body, Adoption>,
): KeptSide<Body> {
  const kept = { ...recorded, ...endingOf(keep) }
  if (keep === 'ours' || !seen) return { ...kept, save }
  const { adopted, outside } = seen
  const { base, changes } = outside
  return {
    ...kept,
    body: merge({ ...base, composed: recordedIn(base, local.asSent) }, changes, recorded.body).body,
    // What the record makes of itself, of which it has taken what it has fields for.
    composed: adopted.composed as Body,
    save: (tx, sent) => save(tx, sent, adopted),
  }
}

/** Saves what keeps a side. */
export const saveKept = <Body extends object>(tx: Transaction, { save }: KeptSide<Body>, sent: Body): Promise<void> =>
  save(tx, sent)
