import { isObject, ownValue } from '../../../json/object.ts'

import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'

/**
 * Puts onto a new build what other editors changed since the last one: a leaf of `current` that is not as it was built
 * stays, every other one is as it is built now.
 */
export function keepEdits(built: Settings, current: Settings, next: Settings): Settings {
  const kept: Settings = {}
  for (const key of new Set([...Object.keys(next), ...Object.keys(current)])) {
    const [was, is, becomes] = [ownValue(built, key), ownValue(current, key), ownValue(next, key)]
    const open = isObject(is) && (was === undefined || isObject(was)) && (becomes === undefined || isObject(becomes))
    const value = open
      ? keepEdits(was ?? {}, is, becomes ?? {})
      : Bun.deepEquals(was ?? null, is ?? null, true)
        ? becomes
        : is
    const emptied = open && becomes === undefined && isObject(value) && Object.keys(value).length === 0
    if (value !== undefined && !(emptied && was !== undefined)) kept[key] = value
  }
  return kept
}

const asObject = (value: unknown): Settings => (isObject(value) ? value : {})

/** A configuration in which the named leaves, `voice.speed` for one, are again as they were built. */
export function withoutEdits(built: Settings, current: Settings, paths: readonly string[]): Settings {
  const below = Map.groupBy(paths, (path) => path.split('.', 1)[0] ?? '')
  const config = { ...current }
  for (const [key, named] of below) {
    const [was, is] = [ownValue(built, key), ownValue(current, key)]
    const deeper = named.map((path) => path.slice(key.length + 1))
    const value = named.includes(key) ? was : withoutEdits(asObject(was), asObject(is), deeper)
    if (was === undefined && is === undefined) continue
    if (value === undefined) delete config[key]
    else config[key] = value
  }
  return config
}
