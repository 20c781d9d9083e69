import { isObject, type Json } from '../../json/object.ts'
import { holdsSecrets, namesSecret, namesSecretNumber } from '../../secrets/leaves.ts'
import { shownAddress, shownText } from '../../webhooks/request.ts'

/** What stands in the place of a secret. */
export const mask = '••••'
/** An address with a query, a fragment, or with who asks. */
const mayTell = /[?#@]/

/**
 * What readers see of a value: secrets are masked, however deep, every header, which may say who sends it, and what in
 * an address may be secret.
 * @param holder the key of what holds it, also where that is a list in it
 */
export function maskedValue(key: string, value: unknown, holder = ''): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  const isOfHolder = holdsSecrets(holder)
  if (typeof value === 'number') return isOfHolder || namesSecretNumber(key) ? mask : value
  // Lists in plans take objects alone.
  if (isOfHolder && key === '' && isObject(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, mask]))
  if (isOfHolder || namesSecret(key, value)) return mask
  if (typeof value === 'string') return key === 'url' && mayTell.test(value) ? shownAddress(value) : shownText(value)
  if (Array.isArray(value)) return value.map((item) => maskedValue('', item, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskedValue(name, item, key)]))
}

/** An object as readers see it. */
export const maskedIn = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskedValue(name, item)]))
