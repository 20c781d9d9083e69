import type { Executor } from '../../db/client.ts'
import { valueAt, withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
import { overlapping } from '../../voice-platform/mirror/agreement/overlap.ts'
import type { Outside } from '../../voice-platform/mirror/agreement/survey.ts'
import { type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { wayTo } from './remove.ts'
import { resolveAll } from './resolve.ts'

/** The references that name nothing of the workspace. */
export async function strangersAmong(
  db: Executor,
  workspaceId: number,
  references: readonly Reference[],
): Promise<Reference[]> {
  if (references.length === 0) return []
  const resolved = await resolveAll(db, workspaceId, references)
  return references.filter((reference) => resolved.get(reference) === undefined)
}

/** The references that name what another workspace has, and this one does not. */
export async function othersAmong(
  db: Executor,
  workspaceId: number,
  references: readonly Reference[],
): Promise<Reference[]> {
  const strangers = await strangersAmong(db, workspaceId, references)
  const known = await resolveAll(db, 'anybody', strangers)
  return strangers.filter((reference) => known.get(reference) !== undefined)
}

/**
 * What was changed outside, as far as a record may take it on: without what names an object that the workspace does not
 * have. That stays on the live object alone, where it was put; what the record names already stays as it is.
 * @param isAny whether a reference may name what nobody here knows
 */
export async function ownOutside<Body extends object>(
  db: Executor,
  workspaceId: number,
  outside: Outside<Body>,
  isAny: (reference: Reference) => boolean = () => false,
): Promise<Outside<Body>> {
  const { base, live, changes } = outside
  const known = new Set(referencesIn(structuredClone(base.composed)).map(({ id }) => id))
  const isChanged = overlapping(changes.map(({ path }) => path))
  const added = referencesIn(structuredClone(live)).filter(
    (one) => !known.has(one.id) && !isAny(one) && isChanged(one.path.split('.')),
  )
  const isStrange = overlapping((await strangersAmong(db, workspaceId, added)).map(wayTo))
  const left = changes.filter(({ path }) => isStrange(path))
  if (left.length === 0) return outside
  return {
    ...outside,
    live: withLeaves(
      live,
      left.map(({ path }) => ({ path, to: valueAt(base.composed, path) })),
    ),
    changes: changes.filter(({ path }) => !isStrange(path)),
  }
}
