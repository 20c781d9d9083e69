import { exactLeavesBetween, isNothing, leavesBetween, same, valueAt, withLeaves } from './leaves.ts'
import { type Part, setBetween, whole } from './set.ts'

/** A body, or what stands at one place of it, on three sides. */
interface Sides<Value> {
  /** What the record made of itself before anything was set. */
  taken: Value
  /** What it makes of itself now. */
  ours: Value
  /** What the live object is to be without what was set. */
  outer: Value
}

const at = ({ taken, ours, outer }: Sides<unknown>, path: readonly string[]): Sides<unknown> => ({
  taken: valueAt(taken, path),
  ours: valueAt(ours, path),
  outer: valueAt(outer, path),
})

/** Whether each item of a live list is what was made of ours at its place, whatever is kept in it besides. */
function isAligned({ taken, outer }: Sides<unknown>): boolean {
  if (!Array.isArray(taken) || !Array.isArray(outer) || taken.length !== outer.length) return false
  return leavesBetween({ list: taken }, { list: outer }).every(({ from }) => isNothing(from))
}

/** The assistant that an item of a list names, a member of a squad or to whom calls are handed over. */
function nameOf(item: unknown): string | undefined {
  const name = valueAt(item, ['assistantId']) ?? valueAt(item, ['assistantName'])
  return typeof name === 'string' ? name : undefined
}

/** The items of a list by the assistants that they name, or undefined where one names none, or two the same. */
function byName(list: unknown): Map<string | undefined, unknown> | undefined {
  if (!Array.isArray(list)) return undefined
  const items = new Map(list.map((item: unknown) => [nameOf(item), item]))
  return items.size === list.length && !items.has(undefined) ? items : undefined
}

/** An item of a live list with what was set in ours. */
function withSet({ taken, ours, outer }: Sides<unknown>): unknown {
  const sides = { taken: { item: taken }, ours: { item: ours }, outer: { item: outer } }
  if (exactLeavesBetween(sides.taken, sides.ours).length === 0) return outer
  if (same(taken, outer)) return ours
  return withLeaves(sides.outer, withLists(whole(setBetween(sides.taken, sides.ours), sides.ours), sides)).item
}

/**
 * A live list with what was set in ours, item by item, by the assistants that they name: in our order, each item that
 * only the live one has behind the one that it is behind there, or before all of them. Where that one is taken away, it
 * is behind the one before; behind the first of ours where there is none, as the first one takes the calls. Undefined
 * where that cannot be told: a side names one twice, or the live list lacks one of ours or has one that was added.
 */
function matched(sides: Sides<unknown>): unknown[] | undefined {
  const [taken, ours] = [byName(sides.taken), byName(sides.ours)]
  if (!taken || !ours || !Array.isArray(sides.outer)) return undefined
  const outer = new Map<string | undefined, unknown>()
  const besides = new Map<string | undefined, unknown[]>()
  const [first] = ours.keys()
  let behind: string | undefined
  for (const item of sides.outer) {
    const name = nameOf(item)
    if (taken.has(name)) {
      if (outer.has(name)) return undefined
      outer.set(name, item)
      behind = ours.has(name) ? name : (behind ?? first)
    } else if (ours.has(name)) return undefined
    else besides.set(behind, [...(besides.get(behind) ?? []), item])
  }
  if (outer.size < taken.size) return undefined
  const made = [...(besides.get(undefined) ?? [])]
  let waiting: readonly unknown[] = []
  for (const [name, item] of ours) {
    const next = besides.get(name) ?? []
    if (taken.has(name)) {
      made.push(...waiting, withSet({ taken: taken.get(name), ours: item, outer: outer.get(name) }))
      waiting = next
    } else {
      made.push(item)
      waiting = [...waiting, ...next]
    }
  }
  return [...made, ...waiting]
}

/**
 * What was set, as it is put into `outer`. The items of a list are matched by the assistants that they name; others by
 * their places, where each is at that of ours. A list of which neither can be told is ours as a whole. What is ours in
 * form alone gives way to what others have put there.
 */
export function withLists(set: readonly Part[], sides: Sides<object>): Part[] {
  const judged = new Map<string, unknown[] | 'aligned' | 'whole'>()
  const done = new Set<string>()
  return set.flatMap((part) => {
    for (let depth = 0; depth <= part.path.length; depth += 1) {
      const path = part.path.slice(0, depth)
      const lists = at(sides, path)
      if (!Array.isArray(lists.taken) || !Array.isArray(lists.ours)) continue
      const key = JSON.stringify(path)
      const how = judged.get(key) ?? matched(lists) ?? (isAligned(lists) ? 'aligned' : 'whole')
      judged.set(key, how)
      if (how === 'aligned') continue
      if (done.has(key) || (how === 'whole' && part.isForm)) return []
      done.add(key)
      return [{ path, to: how === 'whole' ? lists.ours : how }]
    }
    return part.isForm && !same(valueAt(sides.outer, part.path), part.to) ? [] : [part]
  })
}
