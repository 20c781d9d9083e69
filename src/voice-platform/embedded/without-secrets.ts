import { isObject } from '../../json/object.ts'
import { omitSecrets } from '../../secrets/leaves.ts'
import { shownAddress, shownText } from '../../webhooks/request.ts'
import { textOf } from '../mapping/settings.ts'

/** A body whose addresses have no query, whose server blocks say theirs alone, and which names no credentials. */
function addressesOnly(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value)
  if (Array.isArray(value)) return value.map(addressesOnly)
  if (!isObject(value)) return value
  const { credentialIds: _ids, server, ...others } = value
  const shown = Object.fromEntries(Object.entries(others).map(([name, item]) => [name, addressesOnly(item)]))
  return isObject(server) ? { ...shown, server: { url: shownAddress(textOf(server.url) ?? '') } } : shown
}

/** What calls and their webhooks tell of an object: without what authenticates requests and other secrets. */
export const withoutSecrets = (value: Record<string, unknown>) =>
  omitSecrets(addressesOnly(value)) as Record<string, unknown>
