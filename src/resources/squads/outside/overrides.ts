import { isObject, type Json } from '../../../json/object.ts'
import { present } from '../../../voice-platform/mapping/settings.ts'
import { type LiveSquadBody, withoutEngines } from '../../../voice-platform/mapping/squad.ts'
import { isNothing, leavesBetween, same, withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'

type Overrides = Json | null | undefined

const without = (overrides: Json, keys: ReadonlySet<string | undefined>): Json =>
  Object.fromEntries(Object.entries(overrides).filter(([key]) => !keys.has(key)))

/**
 * How closely a change is taken on: by its leaves, beside what is kept here alone and what is said in our own words, or
 * by its whole fields, where those say otherwise.
 */
export type Closeness = 'leaves' | 'fields'

/** The overrides of a record, of which what is no longer as it was sent is as it is live now. */
export function changedOverrides(live: unknown, stored: Overrides, sent: unknown, by: Closeness): Overrides {
  const now = present(live)
  const leaves = leavesBetween(present(sent), now)
  const changed = new Set(leaves.map(({ path }) => path[0]))
  if (changed.size === 0) return stored
  if (by === 'leaves') return withLeaves(stored ?? {}, leaves)
  const theirs = Object.entries(withoutEngines(now, stored, sent)).filter(([key]) => changed.has(key))
  return { ...without(stored ?? {}, changed), ...Object.fromEntries(theirs) }
}

/** The overrides of all members and the values that they share. */
interface Shared {
  membersOverrides: Json | null
  variableValues: Json | null
}

/** The same of the overrides of all members, which hold the shared values and our own mark on the platform. */
export function changedShared(live: unknown, stored: Shared, sent: LiveSquadBody | null, by: Closeness): Shared {
  const [now, before] = [present(live), present(sent?.membersOverrides)]
  const { metadata, ...overrides } = changedOverrides(now, stored.membersOverrides, before, by) ?? {}
  const { external_ref: _mark, ...own } = present(metadata)
  const all = { ...overrides, ...(!isNothing(own) && { metadata: own }) }
  const areValuesSame = same(now.variableValues, before.variableValues)
  const membersOverrides = areValuesSame ? all : without(all, new Set(['variableValues']))
  const theirs = isObject(now.variableValues) ? now.variableValues : null
  return {
    membersOverrides: Object.keys(membersOverrides).length > 0 ? membersOverrides : null,
    variableValues: areValuesSame ? stored.variableValues : theirs,
  }
}
