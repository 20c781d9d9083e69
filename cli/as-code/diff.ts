import { isObject, type Json } from '../../src/json/object.ts'
import { isNothing, SecretRef } from './document.ts'
import { isSameSecret } from './secrets.ts'

/** What differs at one place of a document; what is absent on a side is left out. */
export interface Leaf {
  path: string
  from?: unknown
  to?: unknown
}

type Env = Record<string, string | undefined>

/** What a plan shows of a value: never a secret. */
function shown(value: unknown): unknown {
  if (value instanceof SecretRef) return `(secret ${value.name})`
  if (Array.isArray(value)) return value.map(shown)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]))
}

/** Whether the server's value is what the file says, secrets by their own rule. */
function isSame(there: unknown, wanted: unknown, env: Env): boolean {
  if (isNothing(there) && isNothing(wanted)) return true
  if (wanted instanceof SecretRef) return isSameSecret(wanted, there, env)
  if (Array.isArray(there) && Array.isArray(wanted)) {
    return there.length === wanted.length && there.every((item, index) => isSame(item, wanted[index], env))
  }
  if (isObject(there) && isObject(wanted)) {
    const keys = new Set([...Object.keys(there), ...Object.keys(wanted)])
    return [...keys].every((key) => isSame(there[key], wanted[key], env))
  }
  return Bun.deepEquals(there, wanted)
}

/**
 * What an apply would change, leaf by leaf; lists are leaves.
 * @param there the server's document, secrets in plain or masked
 * @param hidden the same with references in place of secrets, for what is shown
 */
export function leavesOf(there: Json, hidden: Json, wanted: Json, env: Env, path: string[] = []): Leaf[] {
  const keys = [...new Set([...Object.keys(there), ...Object.keys(wanted)])]
  return keys.flatMap((key): Leaf[] => {
    const [from, to] = [there[key], wanted[key]]
    if (isSame(from, to, env)) return []
    const place = [...path, key]
    if (isObject(from) && isObject(to) && !(to instanceof SecretRef)) {
      return leavesOf(from, isObject(hidden[key]) ? hidden[key] : {}, to, env, place)
    }
    return [
      {
        path: place.join('.'),
        ...(!isNothing(from) && { from: shown(hidden[key]) }),
        ...(!isNothing(to) && { to: shown(to) }),
      },
    ]
  })
}
