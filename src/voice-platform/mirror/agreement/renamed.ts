import type { Executor } from '../../../db/client.ts'
import type { Json } from '../../../json/object.ts'
import { referencesIn, renameIn } from '../../references/find.ts'
import type { Base } from './base.ts'
import { madeAgain } from './bases.ts'

/**
 * What both sides agreed on and a live object, which may name something that was made again meanwhile by the id that it
 * had: under those that all of it has now, as records do. Undefined where they name nothing of the kind.
 */
export async function underNewIds<Body extends object>(
  executor: Executor,
  base: Base<Body>,
  live: Json,
): Promise<{ base: Base<Body>; live: Json } | undefined> {
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
