import { isObject, type Json } from '../../json/object.ts'
import { holdsSecrets, namesSecret } from '../../secrets/leaves.ts'
import { shownAddress } from '../../webhooks/request.ts'
import type { Change } from './table.ts'

const mask = '••••'
/** An address with a query, or with who asks. */
const mayTell = /[?@]/

/**
 * What readers see of a value: secrets are masked, however deep, every header, which may say who sends it, and the query of
 * the address of a server.
 * @param holder the key of what holds it
 */
export function shown(key: string, value: unknown, holder = ''): unknown {
  if (value === undefined || value === null) return value
  const isSecret = namesSecret(key, value) || holdsSecrets(holder)
  if (isSecret && typeof value !== 'number' && typeof value !== 'boolean') return mask
  if (key === 'url' && typeof value === 'string' && mayTell.test(value)) return shownAddress(value)
  if (Array.isArray(value)) return value.map((item) => shown('', item))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(name, item, key)]))
}

/** An object as readers see it. */
export const maskedIn = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(name, item)]))

const hasEntries = (value: unknown): value is Json => isObject(value) && Object.keys(value).length > 0

/** A list that is empty is told as one that is not there. */
const isNone = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0)

function compare(before: unknown, after: unknown, path: string[], into: Change[]): void {
  if (hasEntries(before) && hasEntries(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[key], after[key], [...path, key], into)
    }
    return
  }
  if ((isNone(before) && isNone(after)) || Bun.deepEquals(before, after, true)) return
  const [holder, key = ''] = path.length > 1 ? path.slice(-2) : ['', ...path]
  into.push({
    path: path.join('.'),
    ...(before != null && { from: shown(key, before, holder) }),
    ...(after != null && { to: shown(key, after, holder) }),
  })
}

/** What differs between two configurations, leaf by leaf; arrays differ as a whole. Secrets are masked. */
export function changesBetween(before: object, after: object): Change[] {
  const changes: Change[] = []
  compare(before, after, [], changes)
  return changes
}

/** One line that says what changed: `Changed name, voice.speed and 3 more`. */
export function summarize(changes: Change[]): string {
  const named = changes.slice(0, 3).map(({ path }) => path)
  const more = changes.length - named.length
  return `Changed ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
