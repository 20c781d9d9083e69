import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject, type Json } from '../../../json/object.ts'
import { liveDiffers } from '../../../voice-platform/mirror/live-differs.ts'
import type { AssistantConfig } from '../schema.ts'
import type { AssistantRowData } from './find.ts'
import { alike, partly, readable } from './readable.ts'

const object = (value: unknown): Json => (isObject(value) ? value : {})

/** What `live` says of these fields where that is not what was sent to it. */
function changed(sent: Json, live: Json, fields: readonly string[]): Json {
  const present = fields.filter((field) => live[field] !== undefined)
  const differing = present.filter((field) => liveDiffers({ [field]: sent[field] }, live).length > 0)
  return Object.fromEntries(differing.map((field) => [field, live[field]]))
}

/**
 * A row as its remote object is: what was changed on the platform itself replaces what the record has
 * (contract: assistants 29).
 */
export function mergedWithLive(row: AssistantRowData, remote: Vapi.Assistant): AssistantRowData {
  const sent: Json = { ...row.live }
  const live = readable(remote)
  const stored: Json = { ...row.config }
  const parts = partly.map((field) => {
    const now = object(live[field])
    return [field, { ...object(stored[field]), ...changed(object(sent[field]), now, Object.keys(now)) }]
  })
  const config: AssistantConfig = { ...stored, ...changed(sent, live, alike), ...Object.fromEntries(parts) }
  // An assistant has a name here, whatever the platform allows.
  const name = typeof live.name === 'string' && live.name.trim() !== '' ? live.name : row.name
  return { ...row, name, config, live: { ...row.live, ...live } as AssistantRowData['live'] }
}
