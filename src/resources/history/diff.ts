import { isObject, type Json } from '../../json/object.ts'
import { holdsSecrets, namesSecret } from '../../secrets/leaves.ts'
import { shownAddress } from '../../webhooks/request.ts'

/** What stands in the place of a secret. */
export const mask = '••••'
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
