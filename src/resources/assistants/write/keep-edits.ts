import { isObject, ownValue } from '../../../json/object.ts'
import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { valueAt, withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'

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

/** A configuration in which the named leaves, `voice.speed` for one, are again as they were built. */
export function withoutEdits(built: Settings, current: Settings, paths: readonly string[]): Settings {
  const isThere = (path: readonly string[]) => [built, current].some((side) => valueAt(side, path) !== undefined)
  const named = paths.map((path) => path.split('.')).filter((path) => isThere(path.slice(0, -1)))
  return withLeaves(
    current,
    named.map((path) => ({ path, to: valueAt(built, path) })),
  )
}
