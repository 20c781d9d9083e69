import { type Leaf, leavesBetween, overlap, same, valueAt, withLeaves } from './leaves.ts'
import type { Outside } from './survey.ts'

type Back = Pick<Leaf, 'path' | 'to'>[]

/**
 * What was changed outside, and what an earlier write kept on the live object as if the record had no field for it, although
 * it has: there both sides never agreed. `back` says what the record has at those places.
 */
export async function withKept<Body extends object>(
  outside: Outside<Body>,
  adopt: (outside: Outside<Body>) => Promise<{ own: object; composed: object }>,
): Promise<{ outside: Outside<Body>; back: Back }> {
  const { base, live, changes, found } = outside
  const kept = leavesBetween(base.composed, base.sent).map((leaf) => ({ ...leaf, to: valueAt(live, leaf.path) }))
  if (kept.length === 0) return { outside, back: [] }
  const among = (leaves: readonly Leaf[], others = changes) => [
    ...others.filter(({ path }) => !leaves.some((leaf) => overlap(leaf.path, path))),
    ...leaves,
  ]
  const { own, composed } = await adopt({ ...outside, changes: among(kept) })
  const said = kept.flatMap(({ path, to }) => {
    const from = valueAt(own, path)
    return same(valueAt(composed, path), to) && !same(from, to) ? [{ path, from, to }] : []
  })
  if (said.length === 0) return { outside, back: [] }
  const back = said.map(({ path, from }) => ({ path, to: from }))
  const { sent, seen } = base
  const agreed = { ...base, sent: withLeaves(sent, back), seen: seen && withLeaves(seen, back) }
  const met = { changes: among(said), found: { ...found, changes: among(said, found.changes) } }
  return { outside: { ...outside, base: agreed, ...met }, back }
}
