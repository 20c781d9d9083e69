import { validationError } from '../../../api/errors/api-error.ts'
import type { Json } from '../../../json/object.ts'
import { fallbackFields, missingFrom, type StoredFallback, type StoredServer, serverFields } from '../schema.ts'

/**
 * A stored block with a sent one merged onto it, field by field: what was not sent stays, a null field goes, and null
 * or `{}` for the whole clears it (contract: numbers 11, numbers 12).
 */
function mergeBlock<T extends object>(stored: T | null, sent: Json | null | undefined, fields: readonly string[]) {
  if (sent === undefined) return stored
  if (sent === null || Object.keys(sent).length === 0) return null
  const merged: Json = { ...stored }
  for (const field of fields) {
    if (sent[field] === null) delete merged[field]
    else if (sent[field] !== undefined) merged[field] = sent[field]
  }
  return Object.keys(merged).length > 0 ? (merged as T) : null
}

/**
 * The fallback destination after a body; without a type it has that of what it leads to (contract: numbers 34).
 * Throws 422 on `fallback_destination.type` where it leads nowhere, and on what its type requires where that was taken
 * away (contract: numbers 14).
 */
export function fallbackAfter(stored: StoredFallback | null, sent: Json | null | undefined): StoredFallback | null {
  const merged = mergeBlock(stored, sent, fallbackFields)
  if (sent === undefined || !merged) return merged
  const missing = missingFrom(merged)
  if (missing) throw validationError({ [`fallback_destination.${missing.field}`]: [missing.text] })
  if (merged.type) return merged
  if (merged.number) return { ...merged, type: 'number' }
  if (merged.sipUri) return { ...merged, type: 'sip' }
  throw validationError({ 'fallback_destination.type': ['The fallback_destination.type field is required.'] })
}

/**
 * The webhook block after a body. The static-IP switch is always mirrored onto it, so that switching
 * it makes a block where there was none; while it is off, clearing leaves nothing (contract: numbers 12, numbers 13).
 * `switched` says whether the body names the switch.
 */
export function serverAfter(
  stored: StoredServer | null,
  sent: Json | null | undefined,
  staticIp: { enabled: boolean; switched: boolean },
): StoredServer | null {
  if (sent === undefined && !staticIp.switched) return stored
  const { staticIpAddressesEnabled: _mirrored, ...fields } = stored ?? {}
  const merged = mergeBlock(Object.keys(fields).length > 0 ? fields : null, sent, serverFields)
  const mirrorAlone = staticIp.enabled || sent === undefined
  if (!merged && !mirrorAlone) return null
  return { ...merged, staticIpAddressesEnabled: staticIp.enabled }
}
