import { managedOf } from './base.ts'
import { exactLeavesBetween, type Leaf, same, valueAt } from './leaves.ts'

const isAlike = (one: unknown, other: unknown) => exactLeavesBetween({ value: [one] }, { value: [other] }).length === 0

/**
 * The leaves at which a live object is not what it is to be, from what it is. Where both differ in form alone, an empty
 * value from an absent one or a number from its text, a leaf counts that has another form in the body before: a
 * platform that drops what is empty, or adds it, is not written again and again. With `seen`, what the platform made of
 * that body, a leaf counts also where the live object is no longer that.
 */
export function unwritten(before: { body: object; seen?: object }, sent: object, live: object): Leaf[] {
  const { body, seen } = before
  const isItsOwn = ({ path, from, to }: Leaf) =>
    same(from, to) && isAlike(valueAt(body, path), to) && (!seen || isAlike(valueAt(seen, path), from))
  return exactLeavesBetween(managedOf(sent, live), sent).filter((leaf) => !isItsOwn(leaf))
}
