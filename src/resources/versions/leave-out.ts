import type { AccountContext } from '../../api/context.ts'
import { referencesIn } from '../../voice-platform/references/find.ts'
import { removeReferences } from '../references/remove.ts'
import { resolveAll } from '../references/resolve.ts'

/** An object that a version names and that is gone. */
export interface LeftOut {
  kind: string
  id: string
}

/** Kinds of which every object is recorded here, so that one without a record was deleted. */
const recorded: ReadonlySet<string> = new Set(['tool', 'assistant', 'squad'])

/**
 * Takes out of a part of a version, in place, what names objects that were deleted since, or that the workspace lost:
 * a tool that is picked, or a tool or hook that leads to one. What operators configured, `trusted`, stays.
 */
export async function leaveOut(
  ctx: AccountContext,
  workspaceId: number,
  part: object,
  trusted: object,
): Promise<LeftOut[]> {
  const given = new Set(referencesIn(structuredClone(trusted)).map(({ id }) => id))
  const references = referencesIn(part).filter(({ kind, id }) => recorded.has(kind) && !given.has(id))
  const resolved = await resolveAll(ctx.db, workspaceId, references)
  const gone = references.filter((reference) => resolved.get(reference) === undefined)
  removeReferences(part, gone)
  return gone.map(({ kind, id }) => ({ kind, id }))
}
