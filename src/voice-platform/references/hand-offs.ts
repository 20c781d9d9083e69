import { isObject } from '../../json/object.ts'
import { free } from './find.ts'

/** The lists whose items say to whom a call is handed over: of members of a squad, and of tools. */
const lists: ReadonlySet<string> = new Set(['assistantDestinations', 'destinations'])

/** Whether a path leads to the name of a member to whom a call is handed over. */
export const isTargetName = (path: readonly string[]): boolean =>
  path.at(-1) === 'assistantName' && lists.has(path.at(-3) ?? '')

/**
 * Puts the name that `nameOf` gives, if any, in the place of each by which a body hands calls over to a member of a
 * squad. Returns whether there was one.
 */
export function renameTargets(body: unknown, nameOf: (name: string) => string | undefined): boolean {
  let isRenamed = false
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) waiting.push(...value)
    if (!isObject(value)) continue
    for (const [key, item] of Object.entries(value)) {
      if (free.has(key)) continue
      waiting.push(item)
      if (!lists.has(key) || !Array.isArray(item)) continue
      for (const target of item.filter(isObject)) {
        const name = typeof target.assistantName === 'string' ? nameOf(target.assistantName) : undefined
        if (name === undefined) continue
        target.assistantName = name
        isRenamed = true
      }
    }
  }
  return isRenamed
}
