import { isObject, type Json } from '../../src/json/object.ts'
import type { Api } from './api.ts'
import { type Kind, keyOf } from './document.ts'
import { shortValue } from './show.ts'
import { type Named, namesOf } from './workspace.ts'

const kindOf: Record<string, Kind> = { assistant: 'assistants', squad: 'squads', phone_number: 'numbers' }
/** A server without these reads, or a token that may not use them. */
const unavailable = [403, 404, 405]

function linesOf(drift: Json, nameOf: (kind: Kind, id: string) => string): string[] {
  const kind = kindOf[String(drift.kind)]
  const name = kind && drift.resource ? keyOf({ kind, slug: nameOf(kind, String(drift.resource)) }) : String(drift.name)
  const leaves = Array.isArray(drift.leaves) ? drift.leaves.filter(isObject) : []
  return [
    `${name} (${drift.difference})`,
    ...leaves.map(({ path, base, theirs }) => `    ${path}: ${shortValue(base)} -> ${shortValue(theirs)}`),
  ]
}

/** What others changed on the voice platform and is not reconciled: a line for each object and each leaf. */
export async function readDrift(api: Api, named: readonly Named[]): Promise<string[]> {
  const body = await api.readUnless('/drift?per_page=100', unavailable)
  const { slugOf } = namesOf(named)
  const shown = Array.isArray(body?.data) ? body.data.filter(isObject) : []
  const total = isObject(body?.pagination) ? Number(body.pagination.total) : shown.length
  const left = total > shown.length ? [`and ${total - shown.length} more objects`] : []
  return [...shown.flatMap((one) => linesOf(one, slugOf)), ...left]
}
