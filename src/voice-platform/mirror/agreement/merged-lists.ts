import type { Base } from './base.ts'
import { isNothing, type Leaf, leavesBetween, same, valueAt, withLeaves } from './leaves.ts'

/** What is put into a body; `isForm` where it says the same as before in another form. */
export type Part = Pick<Leaf, 'path' | 'to'> & { isForm?: boolean }

/** Whether each item of a list is what was made of the item at its place, whatever is kept in it besides. */
function isAligned(composed: unknown, sent: unknown): boolean {
  if (!Array.isArray(composed) || !Array.isArray(sent) || composed.length !== sent.length) return false
  return leavesBetween({ composed }, { composed: sent }).every(({ from }) => isNothing(from))
}

/** The assistants that the items of a list name, or undefined where one names none, or two the same. */
function namesIn(list: unknown): string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const names = list.map((item) => valueAt(item, ['assistantId'])).filter((name) => typeof name === 'string')
  return names.length === list.length && new Set(names).size === list.length ? names : undefined
}

/** Where the items of our list are in that of the others, by the assistants that they name; undefined where that cannot be told. */
function placesIn(theirs: unknown, taken: unknown, ours: unknown): number[] | undefined {
  const names = namesIn(ours)
  if (!names || !Array.isArray(theirs) || !Bun.deepEquals(namesIn(taken), names)) return undefined
  const others = new Map<unknown, number | undefined>()
  for (const [place, item] of theirs.entries()) {
    const name = valueAt(item, ['assistantId'])
    others.set(name, others.has(name) ? undefined : place)
  }
  const places = names.flatMap((name) => others.get(name) ?? [])
  return places.length === names.length ? places : undefined
}

/** What becomes of the leaves in a list: they go to the items at these places, or to those at their own, or all of it is ours. */
type ListMerge = readonly number[] | 'aligned' | 'whole'

/**
 * A list of the others with the items that were added to ours, each behind the one that it is behind there; undefined where ours lacks
 * one, or they have nothing besides.
 */
function withAdded(theirs: unknown, taken: unknown, ours: unknown): unknown[] | undefined {
  const [before, names] = [namesIn(taken), namesIn(ours)]
  if (!before || !names || !Array.isArray(theirs) || !Array.isArray(taken) || !Array.isArray(ours)) return undefined
  const left = names.flatMap((name, place) => (before.includes(name) ? [place] : []))
  const places = placesIn(
    theirs,
    taken,
    left.map((place) => ours[place]),
  )
  const others = new Set(theirs.map((item) => valueAt(item, ['assistantId'])))
  const isThere = names.some((name) => !before.includes(name) && others.has(name))
  if (!places || isThere || theirs.length === before.length) return undefined
  const made = [...theirs]
  for (const [index, place] of places.entries()) {
    const [was, is, outer] = [taken[index], ours[left[index] ?? 0], theirs[place]]
    made[place] = same(was, outer) ? is : withLeaves({ item: outer }, leavesBetween({ item: was }, { item: is })).item
  }
  let behind = -1
  for (const [place, item] of ours.entries()) {
    const known = left.indexOf(place)
    if (known === -1) made.splice(behind + 1, 0, item)
    behind = known === -1 ? behind + 1 : made.findIndex((one) => valueAt(one, ['assistantId']) === names[place])
  }
  return made
}

/**
 * Items that are not at the same places on both sides are matched by the assistants that they name; where they name none, they
 * cannot be changed one by one: such a list is ours as a whole. What is ours in form alone gives way to what others have put
 * there, into `outer`.
 */
export function withLists(
  leaves: readonly Part[],
  { composed, sent }: Base,
  taken: object,
  ours: object,
  outer: object,
): Part[] {
  const kept = (leaf: Part) => (leaf.isForm && !same(valueAt(outer, leaf.path), leaf.to) ? [] : [leaf])
  const judged = new Map<unknown, ListMerge>()
  const judge = (list: unknown, path: readonly string[], there: readonly string[]): ListMerge => {
    const known = judged.get(list)
    if (known) return known
    const places = placesIn(valueAt(outer, there), valueAt(taken, path), valueAt(ours, path))
    const how = places ?? (isAligned(list, valueAt(sent, there)) ? 'aligned' : 'whole')
    judged.set(list, how)
    return how
  }
  const areWhole = new Set<unknown>()
  return leaves.flatMap((leaf) => {
    /** The way to the leaf among the others' items. */
    const there: string[] = []
    for (const [depth, key] of leaf.path.entries()) {
      const path = leaf.path.slice(0, depth)
      const list = valueAt(composed, path)
      const how = Array.isArray(list) ? judge(list, path, there) : 'aligned'
      if (how === 'whole') {
        if (leaf.isForm || areWhole.has(list)) return []
        areWhole.add(list)
        return [{ path: there, to: valueAt(ours, path) }]
      }
      there.push(how === 'aligned' ? key : String(how[Number(key)]))
    }
    const added = withAdded(valueAt(outer, there), valueAt(taken, leaf.path), leaf.to)
    return kept({ ...leaf, path: there, ...(added && { to: added }) })
  })
}
