import type { Base } from './base.ts'
import { managedOf } from './base.ts'
import { isNothing, type Leaf, leavesBetween, same, valueAt } from './leaves.ts'

/** The platform's own values of fields that it may leave out, by field. */
export type Defaults = Readonly<Record<string, unknown>>

function withDefaults(body: object, defaults: Defaults) {
  const absent = Object.entries(defaults).filter(([field]) => valueAt(body, [field]) == null)
  return absent.length === 0 ? body : { ...body, ...Object.fromEntries(absent) }
}

/**
 * What was changed outside since both sides agreed: the leaves at which the live object is no longer what it was. A leaf
 * that has become what it was sent is no change. As long as nobody saw what the platform makes of a body, what it adds
 * within a field counts as its own doing.
 */
export function outsideChanges(base: Base, live: object, defaults: Defaults = {}): Leaf[] {
  const theirs = withDefaults(managedOf(base.sent, live), defaults)
  const before = withDefaults(base.seen ?? base.sent, defaults)
  const changed = leavesBetween(before, theirs)
  if (base.seen) return changed.filter(({ path, to }) => !wasSent(base, path, to))
  return changed.filter(({ path, from }) => path.length === 1 || !isNothing(from))
}

/** Whether a value is what the platform was sent at that place; what was not sent there can be no return to it. */
function wasSent({ sent }: Base, path: readonly string[], value: unknown): boolean {
  const before = valueAt(sent, path)
  return !isNothing(before) && same(before, value)
}
