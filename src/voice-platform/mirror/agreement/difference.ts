import type { Base } from './base.ts'
import { seenOf } from './base.ts'
import { isNothing, type Leaf, leavesBetween, same, valueAt } from './leaves.ts'

/** The platform's own values of fields that it may leave out, by field. */
export type Defaults = Readonly<Record<string, unknown>>

function withDefaults(body: object, defaults: Defaults) {
  const absent = Object.entries(defaults).filter(([field]) => valueAt(body, [field]) == null)
  return absent.length === 0 ? body : { ...body, ...Object.fromEntries(absent) }
}

/** What the platform makes of each object by itself. */
const platformMade: ReadonlySet<string> = new Set(['id', 'orgId', 'createdAt', 'updatedAt'])

/** Whether an object was seen whole, so that all of its fields are compared. */
export const isEntire = (seen: object | undefined): boolean => seen !== undefined && Object.hasOwn(seen, 'id')

const withoutMade = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !platformMade.has(field)))

/**
 * What was changed outside since both sides agreed: the leaves at which the live object is no longer what it was. A
 * leaf that has become what it was sent is no change. As long as nobody saw what the platform makes of a body, what it
 * adds within a field counts as its own doing.
 */
export function outsideChanges(base: Base, live: object, defaults: Defaults = {}): Leaf[] {
  const all = isEntire(base.seen)
  const [was, is] = [base.seen ?? base.sent, seenOf(base.sent, live, all)]
  const theirs = withDefaults(all ? withoutMade(is) : is, defaults)
  const before = withDefaults(all ? withoutMade(was) : was, defaults)
  const changed = leavesBetween(before, theirs)
  if (base.seen) return changed.filter(({ path, to }) => !wasSent(base, path, to))
  return changed.filter(({ path, from }) => path.length === 1 || !isNothing(from))
}

/** Whether a value is what the platform was sent at that place; what was not sent there can be no return to it. */
function wasSent({ sent }: Base, path: readonly string[], value: unknown): boolean {
  const before = valueAt(sent, path)
  return !isNothing(before) && same(before, value)
}
