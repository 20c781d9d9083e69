import type { Executor } from '../../../db/client.ts'
import type { Json } from '../../../json/object.ts'
import { referencesIn, renameIn } from '../../references/find.ts'
import { isTargetName, renameTargets } from '../../references/hand-offs.ts'
import type { Base } from './base.ts'
import { madeAgain } from './bases.ts'
import { leavesBetween } from './leaves.ts'

/** What both sides agreed on, and a live object. */
interface Sides<Body extends object> {
  base: Base<Body>
  live: Json
}

/**
 * What both sides agreed on and a live object, which may name something that was made again meanwhile by the id that it
 * had: under those that all of it has now, as records do. Undefined where they name nothing of the kind.
 */
async function underNewIds<Body extends object>(
  executor: Executor,
  { base, live }: Sides<Body>,
): Promise<Sides<Body> | undefined> {
  const { composed, sent, seen } = base
  const bodies = structuredClone({ composed, sent, seen, live })
  const again = await madeAgain(executor, [...new Set(referencesIn(bodies).map(({ id }) => id))])
  const idNow = ({ kind, id }: { kind: string; id: string }) => {
    const made = again.get(id)
    return made?.kind === kind ? made.liveId : undefined
  }
  if (again.size === 0 || !renameIn(bodies, idNow)) return undefined
  const { live: renamed, ...agreed } = bodies
  return { base: { ...base, ...agreed }, live: renamed }
}

/**
 * The same of the names by which calls are handed over: under those that `recorded`, the record's body, has in place of
 * `before`.
 */
function underNewNames<Body extends object>(
  { base, live }: Sides<Body>,
  before: object,
  recorded: object,
): Sides<Body> | undefined {
  const names = new Map<unknown, unknown>(
    leavesBetween(before, recorded).flatMap(({ path, from, to }) => (isTargetName(path) ? [[from, to] as const] : [])),
  )
  if (names.size === 0) return undefined
  const { composed, sent, seen } = base
  const bodies = structuredClone({ composed, sent, seen, live })
  const nameNow = (name: string) => {
    const now = names.get(name)
    return typeof now === 'string' ? now : undefined
  }
  if (!renameTargets(bodies, nameNow)) return undefined
  const { live: renamed, ...agreed } = bodies
  return { base: { ...base, ...agreed }, live: renamed }
}

/**
 * Both sides as the record names things now: what was made again by its new id, and members of a squad that were
 * renamed by their new name. Undefined where they name nothing of the kind.
 * @param recorded the body that `local.read` gives, and that it gave when both sides agreed; undefined where it has not
 * changed since
 */
export async function underNewNamings<Body extends object>(
  executor: Executor,
  sides: Sides<Body>,
  recorded: { before: object; now: object } | undefined,
): Promise<Sides<Body> | undefined> {
  const underIds = await underNewIds(executor, sides)
  const underNames = recorded && underNewNames(underIds ?? sides, recorded.before, recorded.now)
  return underNames ?? underIds
}
