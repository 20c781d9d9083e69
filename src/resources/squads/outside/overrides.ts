import { isObject, type Json } from '../../../json/object.ts'
import { present } from '../../../voice-platform/mapping/settings.ts'
import { type LiveSquadBody, withoutEngines } from '../../../voice-platform/mapping/squad.ts'
import { isNothing, leavesBetween, same } from '../../../voice-platform/mirror/agreement/leaves.ts'

type Overrides = Json | null | undefined

const without = (overrides: Json, keys: ReadonlySet<string | undefined>): Json =>
  Object.fromEntries(Object.entries(overrides).filter(([key]) => !keys.has(key)))

/** The overrides of a record, of which what is no longer as it was sent is as it is live now. */
export function changedOverrides(live: unknown, stored: Overrides, sent: unknown): Overrides {
  const now = present(live)
  const changed = new Set(leavesBetween(present(sent), now).map(({ path }) => path[0]))
  if (changed.size === 0) return stored
  const theirs = Object.entries(withoutEngines(now, stored, sent)).filter(([key]) => changed.has(key))
  return { ...without(stored ?? {}, changed), ...Object.fromEntries(theirs) }
}

/** The overrides of all members and the values that they share. */
interface Shared {
  membersOverrides: Json | null
  variableValues: Json | null
}

/** The same of the overrides of all members, which hold the shared values and our own mark on the platform. */
export function changedShared(live: unknown, stored: Shared, sent: LiveSquadBody | null): Shared {
  const [now, before] = [present(live), present(sent?.membersOverrides)]
  const { metadata, ...overrides } = changedOverrides(now, stored.membersOverrides, before) ?? {}
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
