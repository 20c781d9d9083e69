import { validationError } from '../../../api/errors/api-error.ts'
import { isObject, ownValue } from '../../../json/object.ts'
import { cutQuery, isUrlText } from '../../../webhooks/request.ts'
import { mask } from '../../history/mask.ts'
import type { AssistantRowData } from '../read/find.ts'
import { maskedSettings } from '../read/masked.ts'

/**
 * Where each item of a list stood: those that are as they were, wherever, and the others in their order, if all are
 * there.
 */
function placesOf(sent: readonly unknown[], shown: readonly unknown[]): (number | undefined)[] {
  const left = new Set(shown.keys())
  const take = (at: number | undefined) => {
    if (at !== undefined) left.delete(at)
    return at
  }
  const same = sent.map((item) => take([...left].find((at) => Bun.deepEquals(item, shown[at]))))
  const changed = same.filter((at) => at === undefined).length
  if (changed !== left.size) return same
  return same.map((at) => at ?? take([...left][0]))
}

/** What says, by its name, where something is sent or who gets it. */
const directing = /(url|uri|host|hostname|domain|endpoint|address|origin|proxy|server|provider)$/i

/** Where a value, by all that is in it, has something sent, with the places that say so. */
function directionsOf(value: unknown, at: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => directionsOf(item, at))
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => directionsOf(item, [...at, key]))
  }
  const isSaid = directing.test(at.at(-1) ?? '') || (typeof value === 'string' && isUrlText(value))
  return isSaid ? [JSON.stringify([at, value])] : []
}

const isSentElsewhere = (sent: object, shown: object) =>
  !Bun.deepEquals(directionsOf(sent).sort(), directionsOf(shown).sort())

/** A sent value with what is stored wherever it says what is shown there; no secret goes elsewhere than it did. */
function asStored(sent: unknown, stored: unknown, shown: unknown): unknown {
  if (Bun.deepEquals(sent, shown)) return stored
  if (Array.isArray(sent) && Array.isArray(stored) && Array.isArray(shown)) {
    const places = placesOf(sent, shown)
    return sent.map((item, index) => {
      const at = places[index]
      return at === undefined ? item : asStored(item, stored[at], shown[at])
    })
  }
  if (!isObject(sent) || !isObject(stored) || !isObject(shown)) return sent
  if (hasMask(sent) && isSentElsewhere(sent, shown)) return sent
  return Object.fromEntries(
    Object.entries(sent).map(([key, item]) => {
      const isThere = Object.hasOwn(stored, key)
      return [key, isThere ? asStored(item, ownValue(stored, key), ownValue(shown, key)) : item]
    }),
  )
}

/** Whether there is a masked value, or an address whose query was cut. */
const hasMask = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasMask)
    : value === mask || (typeof value === 'string' && value.endsWith(cutQuery) && isUrlText(value))

/**
 * A body in which what the record masks, and is sent back so, is what is stored (contract: assistants 47).
 * Throws 422 on the field of a masked value of which that cannot be told.
 */
export function withMaskedAsStored<Body extends object>(
  row: Pick<AssistantRowData, 'config' | 'build'>,
  body: Body,
): Body {
  const stored: Record<string, unknown> = row.config
  const sent = body as Record<string, unknown>
  const said = Object.entries(maskedSettings(row)).flatMap(([field, shown]) => {
    const value = ownValue(sent, field)
    return value == null ? [] : [[field, asStored(value, stored[field], shown)] as const]
  })
  const open = said.find(([, value]) => hasMask(value))
  if (open) {
    const [field] = open
    throw validationError({ [field]: [`The ${field} field has a masked value that is not as it was read.`] })
  }
  return said.length > 0 ? { ...body, ...Object.fromEntries(said) } : body
}
