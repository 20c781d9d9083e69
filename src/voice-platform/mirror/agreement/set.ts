import { targetFields } from '../../mapping/number.ts'
import { exactLeavesBetween, isNothing, type Leaf, same, valueAt } from './leaves.ts'
import { overlapping } from './overlap.ts'

/** What a write sets at a place of a body; `isForm` where it says the same as before in another form. */
export type Part = Pick<Leaf, 'path' | 'to'> & { isForm?: boolean }

/**
 * What the settings beside them are made for: settings of one provider mean nothing to another, and what a server is
 * trusted with is not for another address.
 */
const selecting: ReadonlySet<string> = new Set(['provider', 'url'])
/** What owners name freely, where such a name selects nothing. */
const free: ReadonlySet<string> = new Set(['metadata', 'variableValues'])

const selects = (path: readonly string[]) =>
  path.length > 1 && selecting.has(path.at(-1) ?? '') && !path.some((key) => free.has(key))

/** What was set: all that is otherwise now, also in form alone. */
export const setBetween = (taken: object, ours: object): Part[] =>
  exactLeavesBetween(taken, ours).map(({ path, from, to }) => ({ path, to, isForm: same(from, to) }))

/** Whether a part is where a number leads. */
export const isTarget = ({ path }: Part) => path.length === 1 && targetFields.some((field) => field === path[0])

/** With what selects them, the whole object that has it is ours; so are all targets with one that is set. */
export function whole(parts: readonly Part[], ours: object): Part[] {
  const selected = parts.filter(({ path }) => selects(path)).map(({ path }) => path.slice(0, -1))
  const isLed = parts.some((part) => isTarget(part) && !isNothing(part.to))
  const objects = isLed ? [...selected, ...targetFields.map((field) => [field])] : selected
  const isSelected = overlapping(objects)
  const others = parts.filter(({ path }) => !isSelected(path))
  return [...others, ...objects.map((path) => ({ path, to: valueAt(ours, path) }))]
}
