import { isObject } from '../../json/object.ts'

import type { Settings } from './live-assistant.ts'

/** The entries that hold a value, as an object to read: null and undefined are absent. */
export function present(settings: unknown): Settings {
  if (!isObject(settings)) return {}
  const entries = Object.entries(settings)
  const kept = entries.filter(([, value]) => value !== null && value !== undefined)
  return kept.length === entries.length ? settings : Object.fromEntries(kept)
}

/** The named entries that hold a value. */
export function pick(settings: Settings, keys: readonly string[]): Settings {
  const picked: Settings = {}
  for (const key of keys) {
    const value = settings[key]
    if (value !== null && value !== undefined) picked[key] = value
  }
  return picked
}

/** What of some parts says anything: without those that are absent or empty. */
export const said = (parts: Settings): Settings =>
  Object.fromEntries(
    Object.entries(present(parts)).filter(([, part]) => !isObject(part) || Object.keys(part).length > 0),
  )

/** A boolean, or undefined. */
export const switchOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** A finite number, or undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A text that is not empty, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The texts of a list, in order, each once. */
export function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? [...new Set(list.filter((item) => typeof item === 'string'))] : []
}
