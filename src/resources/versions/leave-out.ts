import type { AccountContext } from '../../api/context.ts'
import { isObject } from '../../json/object.ts'
import { type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { resolveAll } from '../references/resolve.ts'

/** An object that a version names and that is gone. */
export interface LeftOut {
  kind: string
  id: string
}

/** Kinds of which every object is recorded here, so that one without a record was deleted. */
const recorded: ReadonlySet<string> = new Set(['tool', 'assistant', 'squad'])

/** The way to what an id makes useless: to the item of the first list on it, or to the property itself. */
function wayTo({ path }: Reference): string[] {
  const way = path.split('.')
  const item = way.findIndex((part) => /^\d+$/.test(part))
  return item === -1 ? way : way.slice(0, item + 1)
}

function removeAt(holder: unknown, [key = '', ...rest]: string[]): void {
  if (Array.isArray(holder)) {
    if (rest.length === 0) holder.splice(Number(key), 1)
    else removeAt(holder[Number(key)], rest)
  } else if (isObject(holder)) {
    if (rest.length === 0) delete holder[key]
    else removeAt(holder[key], rest)
  }
}

/** Later items of a list first, so that the places of the others stay. */
const fromBehind = (one: string, other: string) => Number(other.split('.').at(-1)) - Number(one.split('.').at(-1))

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
  const resolved = await resolveAll(ctx, workspaceId, references)
  const gone = references.filter((reference) => resolved.get(reference) === undefined)
  const ways = new Set(gone.map((reference) => wayTo(reference).join('.')))
  for (const way of [...ways].sort(fromBehind)) removeAt(part, way.split('.'))
  return gone.map(({ kind, id }) => ({ kind, id }))
}
