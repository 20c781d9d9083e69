import { type Leaf, leavesBetween, same, valueAt } from './leaves.ts'

/**
 * A place of a live body that a write names: it is as the record says, also where something else is kept there of which
 * the record knows nothing.
 */
export interface NamedPlace {
  path: readonly string[]
  /** What a list has beside all items of the record stays. */
  beside?: boolean
}

/**
 * Whether a list has all items of another one, in their order, whatever each of them, and each list in it, has besides.
 */
function holds(list: readonly unknown[], said: readonly unknown[]): boolean {
  let found = 0
  for (const item of list) if (found < said.length && isHeld(item, said[found])) found += 1
  return found === said.length
}

const isHeld = (item: unknown, said: unknown): boolean =>
  leavesBetween({ item: said }, { item }).every(
    ({ from, to }) => from === undefined || (Array.isArray(from) && Array.isArray(to) && holds(to, from)),
  )

/** What a record says at the places that a write names, where the body that is to be sent says otherwise. */
export const saidAt = (named: readonly NamedPlace[], ours: object, body: object): Pick<Leaf, 'path' | 'to'>[] =>
  named.flatMap(({ path, beside }) => {
    const [said, kept] = [valueAt(ours, path), valueAt(body, path)]
    const hasAll = beside && Array.isArray(kept) && Array.isArray(said) && holds(kept, said)
    return hasAll || same(said, kept) ? [] : [{ path, to: said }]
  })
