import { hostileKeys, hostileValue } from './hostile.ts'
import { copyOf, isObject, jsonText } from './json.ts'
import type { Random } from './random.ts'

/** Every place of a value where something can be put: its object or list, and the key. */
function placesOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if (!isObject(value) && !Array.isArray(value)) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])])
}

/** The value with one to three things wrong in it, as JSON text. */
export function mutatedText(random: Random, original: unknown): string {
  const root: Record<string, unknown> = { value: copyOf(original) }
  for (let count = random.pick([1, 1, 1, 2, 3]); count > 0; count--) {
    const { holder, key } = random.pickAny(placesOf(root)) ?? { holder: root, key: 'value' }
    const dice = random.next()
    const there = holder[key]
    if (dice < 0.7) holder[key] = hostileValue(random)
    else if (dice < 0.8 && !Array.isArray(holder)) delete holder[key]
    else if (dice < 0.9 && isObject(there)) addKey(random, there)
    else if (dice < 0.95) holder[key] = [there]
    else if (Array.isArray(there)) there.push(...there, ...there)
    else holder[key] = isObject(there) ? jsonText(there) : String(there)
  }
  const { value = null } = root
  if (!isObject(value) || !random.chance(0.1)) return jsonText(value)
  const key = random.pickAny(Object.keys(value))
  return jsonText(value, key === undefined ? undefined : new Map([[key, hostileValue(random)]]))
}

function addKey(random: Random, holder: Record<string, unknown>): void {
  const value = hostileValue(random)
  // An assignment to `__proto__` would change the holder instead.
  Object.defineProperty(holder, random.pick(hostileKeys), {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** Text that is not JSON, or not only. */
export function brokenText(random: Random, text: string): string {
  return random.pick([
    '',
    text.slice(0, random.int(0, text.length)),
    `${text}${text}`,
    `\ufeff${text}`,
    `${text}\u0000`,
    `/**/${text}`,
    text.replaceAll('"', "'"),
    text.replace(/}$/, ',}'),
    'NaN',
    'null',
    '"text"',
    '[]',
    `[${text}]`,
    '123',
    `{"a":${'9'.repeat(5000)}}`,
  ])
}
