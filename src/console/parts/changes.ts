/** Whether two values of a form say the same. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Those fields of an object that differ from before, with what they are now. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const old = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(([name, value]) => !same(old.get(name), value))
  return Object.fromEntries(changed) as Partial<T>
}

/** Whether a value of a form has fields of its own. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A form's values after a save, or before one: what the server has now, field by field, with what was typed since
 * `sent`. Fields of fields are compared each by itself, lists as a whole.
 */
export function rebased<T>(sent: T, now: T, fresh: T): T {
  if (!isObject(sent) || !isObject(now) || !isObject(fresh)) return same(now, sent) ? fresh : now
  const [before, typed] = [new Map(Object.entries(sent)), new Map(Object.entries(now))]
  const kept = Object.entries(fresh).map(([name, value]) => [
    name,
    rebased<unknown>(before.get(name), typed.get(name), value),
  ])
  const added = Object.entries(now).filter(
    ([name, value]) => !Object.hasOwn(fresh, name) && !same(value, before.get(name)),
  )
  return Object.fromEntries([...kept, ...added])
}

/** What two changed, each in another way: its path, what it is in theirs, and what it was. */
export type Clash = [path: string, theirs: unknown, before: unknown]

/** What both changed since, each in another way. */
export function bothChanged(before: unknown, mine: unknown, theirs: unknown, path = ''): Clash[] {
  if (same(mine, before) || same(theirs, before) || same(mine, theirs)) return []
  if (!isObject(before) || !isObject(mine) || !isObject(theirs)) return [[path, theirs, before]]
  const [old, ours, others] = [before, mine, theirs].map((fields) => new Map(Object.entries(fields)))
  return Object.keys({ ...mine, ...theirs }).flatMap((name) =>
    bothChanged(old?.get(name), ours?.get(name), others?.get(name), path ? `${path}.${name}` : name),
  )
}
