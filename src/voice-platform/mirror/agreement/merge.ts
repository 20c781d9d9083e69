import { targetFields } from '../../mapping/number.ts'
import type { Base } from './base.ts'
import { exactLeavesBetween, isNothing, type Leaf, leavesBetween, same, valueAt, withLeaves } from './leaves.ts'
import { withLists } from './merged-lists.ts'
import { type NamedPlace, saidAt } from './named.ts'
import { overlapping } from './overlap.ts'
import { isTarget, type Part, setBetween, whole } from './set.ts'

/** What becomes of both sides' changes. */
export interface Merged<Body extends object> {
  /** The whole body that the platform is to be sent. */
  body: Body
  /** What it was before, with the outside changes and without ours. */
  before: object
  /** Outside changes that give way to ours. */
  overruled: Leaf[]
}

/**
 * Without targets that are taken away where the live number has been kept leading elsewhere: what it led to by its
 * record was deleted. A write that clears one itself names it.
 */
function withoutDetached(leaves: readonly Part[], { composed, sent }: Base): readonly Part[] {
  const isKept = targetFields.some((field) => !same(valueAt(composed, [field]), valueAt(sent, [field])))
  return isKept ? leaves.filter((leaf) => !(isTarget(leaf) && isNothing(leaf.to))) : leaves
}

/** Fields that null clears; the others have an empty value of their own. */
const nullable: ReadonlySet<string> = new Set([
  'server',
  'observabilityPlan',
  'fallbackDestination',
  'assistantId',
  'squadId',
  'workflowId',
])

/** A leaf to be put into a body: a whole field that is gone in the form in which a body says so, as a body is total. */
function cleared({ path, to }: Pick<Leaf, 'path' | 'to'>, sent: object): Pick<Leaf, 'path' | 'to'> {
  if (path.length !== 1) return { path, to }
  const before = valueAt(sent, path)
  if (!isNothing(to)) return { path, to }
  if (nullable.has(path[0] ?? '')) return { path, to: null }
  return { path, to: typeof before === 'string' ? '' : Array.isArray(before) ? [] : undefined }
}

/**
 * The way to the first list that a path leads through, whose items may have other places on other sides, or all of it.
 */
function toList(path: readonly string[]): readonly string[] {
  const place = path.findIndex((key) => /^\d+$/.test(key))
  return place === -1 ? path : path.slice(0, place)
}

/**
 * A live object may differ from what its record says only where something is kept there that the record does not take
 * on: anywhere else both sides would count as agreed although they are not, and nothing would find it. Throws where
 * they would.
 */
function refuseSilent(base: Base, outside: readonly Leaf[], taken: object, apart: readonly Leaf[]): void {
  if (apart.length === 0) return
  const left = outside.filter(({ path, to }) => !same(valueAt(taken, path), to))
  const isKept = overlapping([...left, ...leavesBetween(base.composed, base.sent)].map(({ path }) => toList(path)))
  const silent = apart.filter(({ path }) => !isKept(toList(path)))
  if (silent.length === 0) return
  throw new Error(`A record and its live object would differ at ${silent.map(({ path }) => path.join('.')).join(', ')}`)
}

/** A body with what the record says, `ours`, at the places that a write names. */
export function withNamed<Body extends object>(named: readonly NamedPlace[], ours: object, body: Body): Body {
  const said = saidAt(named, ours, body)
  return said.length === 0
    ? body
    : withLeaves(
        body,
        said.map((leaf) => cleared(leaf, body)),
      )
}

/**
 * The three-way merge of a save, leaf by leaf: `outside` are the changes of the live object since both sides agreed on
 * `base`, `ours` is what the record makes of it now, and `taken` what it made of itself once it had taken on of those
 * what it has fields for, before anything was set. What was set is ours, also where it is what the base says already;
 * what only the other side changed is as that side has it, and what was kept of earlier outside changes stays where the
 * write does not name it. Throws when a record and its live object would count as agreed although they are not.
 */
export function merge<Body extends object>(
  base: Base<Body>,
  outside: readonly Leaf[],
  ours: Body,
  taken: object = base.composed,
  named: readonly NamedPlace[] = [],
): Merged<Body> {
  const theirs = outside.map((leaf) => cleared(leaf, base.sent))
  const outer = withLeaves(base.sent, theirs)
  const set = withoutDetached(setBetween(taken, ours), base)
  const mine = withLists(whole(set, ours), { taken, ours, outer })
  const body = withNamed(named, ours, withLeaves(outer, mine))
  refuseSilent(base, outside, taken, leavesBetween(ours, body))
  const overruled = outside.filter(({ path, to }) => !same(to, valueAt(body, path)))
  // Where nothing is left of outside changes, the body is ours to the letter.
  return {
    before: outer,
    body: Bun.deepEquals(base.composed, base.sent) && leavesBetween(ours, body).length === 0 ? ours : body,
    overruled,
  }
}

/**
 * What the platform is sent of a record's body: with what is kept of the object that the record has no field for, as
 * long as the base is that of this object.
 */
export function bodyToSend<Body extends object>(base: Base | undefined, liveId: string, ours: Body): Body {
  if (base?.liveId !== liveId) return ours
  const isSame = exactLeavesBetween(base.composed, ours).length === 0
  return (isSame ? base.sent : merge<object>(base, [], ours).body) as Body
}
