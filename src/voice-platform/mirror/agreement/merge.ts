import type { Base } from './base.ts'
import { type Leaf, leavesBetween, overlap, valueAt, withLeaves } from './leaves.ts'

/** What becomes of both sides' changes. */
export interface Merged<Body extends object> {
  /** The whole body that the platform is to be told. */
  body: Body
  /** Outside changes that give way to ours. */
  overruled: Leaf[]
}

/** Settings of one provider mean nothing to another: with its selection, the whole object that has it is ours. */
function whole(leaves: readonly Leaf[], ours: object): Pick<Leaf, 'path' | 'to'>[] {
  const selected = leaves.filter(({ path }) => path.length > 1 && path.at(-1) === 'provider')
  const objects = selected.map(({ path }) => path.slice(0, -1))
  const others = leaves.filter(({ path }) => !objects.some((object) => overlap(object, path)))
  return [...others, ...objects.map((path) => ({ path, to: valueAt(ours, path) }))]
}

/**
 * The three-way merge of a save, leaf by leaf: `outside` are the changes of the live object since both sides agreed on
 * `base`, `ours` is what the record makes of it now. What only one side changed is as that side has it; what both changed
 * is ours. What was kept of earlier outside changes stays.
 */
export function merge<Body extends object>(base: Base<Body>, outside: readonly Leaf[], ours: Body): Merged<Body> {
  const mine = whole(leavesBetween(base.composed, ours), ours)
  const body = withLeaves(withLeaves(base.sent, outside), mine)
  const overruled = outside.filter(
    ({ path, to }) => leavesBetween({ value: to }, { value: valueAt(body, path) }).length > 0,
  )
  // Where nothing is left of outside changes, the body is ours to the letter.
  return { body: leavesBetween(ours, body).length === 0 ? ours : body, overruled }
}
