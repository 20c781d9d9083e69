import { isObject, type Json } from '../../../json/object.ts'
import { secretHeader } from '../../../voice-platform/mapping/server.ts'
import { textOf } from '../../../voice-platform/mapping/settings.ts'
import { serverFields } from '../schema.ts'

/**
 * A live webhook block as a record has it: its secret in a field of its own, and the static-IP switch mirrored, off
 * where the platform says nothing of it (contract: numbers 8).
 */
export function recordedServer(live: Json): Json {
  const fields = Object.fromEntries(
    serverFields.flatMap((field) => (live[field] == null ? [] : [[field, live[field]]])),
  )
  const staticIpAddressesEnabled = live.staticIpAddressesEnabled === true
  const { headers, ...others } = fields
  if (!isObject(headers)) return { ...fields, staticIpAddressesEnabled }
  const { [secretHeader]: sent, ...kept } = headers
  const secret = textOf(sent)
  if (secret === undefined) return { ...fields, staticIpAddressesEnabled }
  return { ...others, secret, ...(Object.keys(kept).length > 0 && { headers: kept }), staticIpAddressesEnabled }
}
