import { unstorable } from '../../api/errors/validation.ts'
import { nameOf } from '../../voice-platform/drift/name-of.ts'
import { liveWrites } from '../../voice-platform/mirror/journal/table.ts'
import type { LiveObject } from '../../voice-platform/mirror/remote-kind.ts'
import { toolsInMaking } from '../catalogue/tool-remote.ts'
import {
  type AdoptContext,
  type Adopter,
  type Adoption,
  type Adoptive,
  fieldsOf,
  ImportRefusal,
  keptOf,
  markIn,
  refuseOthers,
} from './adopter.ts'
import { assistantAdopter } from './kinds/assistants.ts'
import { numberAdopter } from './kinds/numbers.ts'
import { squadAdopter } from './kinds/squads.ts'
import { toolAdopter } from './kinds/tools.ts'
import type { ImportKind } from './table.ts'

/** In the order in which they are adopted. */
export const adopters: readonly Adopter[] = [toolAdopter, assistantAdopter, squadAdopter, numberAdopter]

/** The adopter of a kind. */
export function adopterOf(kind: ImportKind): Adopter {
  const found = adopters.find((one) => one.kind === kind)
  if (!found) throw new Error(`No adopter of kind ${kind}`)
  return found
}

/** The ids of those objects of a kind that have a record. */
export async function recordedAmong(
  parts: Omit<AdoptContext, 'account'>,
  { remote, recorded }: Adopter,
  objects: readonly LiveObject[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set()
  if (recorded) return recorded(parts.db, objects)
  const records = await remote(parts).local.recorded(parts.db, { liveIds: objects.map(({ id }) => id) })
  return new Set(records.map(({ liveId }) => liveId))
}

/** An object of the platform that no record names. */
export interface Unmanaged {
  kind: ImportKind
  live: LiveObject
  name: string
  /** The mark that an installation left in it: another one's, or ours of a record that is gone. */
  mark: string | undefined
}

/** More objects than an account has; what is beyond is not looked at. */
const maxObjects = 20_000

/** Everything that lives on the platform and has no record; what is being made right now is none of it. */
export async function unmanaged(ctx: AdoptContext, signal: AbortSignal, only?: ImportKind): Promise<Unmanaged[]> {
  const found: Unmanaged[] = []
  for (const adopter of adopters.filter(({ kind }) => only === undefined || kind === only)) {
    for await (const page of adopter.remote(ctx).live.pages(undefined, { signal })) {
      const known = await recordedAmong(ctx, adopter, page)
      for (const live of page.filter(({ id }) => !known.has(id))) {
        const { metadata, membersOverrides } = fieldsOf(live)
        const mark = markIn(metadata) ?? markIn(fieldsOf({ ...(membersOverrides as object) }).metadata)
        found.push({ kind: adopter.kind, live, name: nameOf(live), mark })
      }
      if (found.length >= maxObjects) break
    }
  }
  const writes = await ctx.db.select({ ref: liveWrites.ref }).from(liveWrites)
  const open = new Set(writes.map(({ ref }) => ref))
  const isToolInMaking = await toolsInMaking(ctx.db)
  const unmade = found.filter(({ kind, mark, live }) =>
    kind === 'tool' ? !isToolInMaking(live) : !open.has(mark ?? String(fieldsOf(live).number)),
  )
  // What was being made when its page was read may have its record by now.
  const recorded = await Promise.all(
    adopters.map((adopter) => {
      const objects = unmade.filter(({ kind }) => kind === adopter.kind).map(({ live }) => live)
      return recordedAmong(ctx, adopter, objects)
    }),
  )
  return unmade.filter(({ live }) => !recorded.some((known) => known.has(live.id)))
}

/** What an import makes of an object. Throws ImportRefusal, also for what is larger or deeper than a body may be. */
export async function adoptionOf(
  ctx: AdoptContext,
  kind: ImportKind,
  { live, ref, owner }: { live: LiveObject; ref: string; owner: Adoptive },
): Promise<Adoption> {
  if (unstorable(live)) throw new ImportRefusal('It holds more, or is nested deeper, than can be stored.')
  const adoption = await adopterOf(kind).adopt(ctx, live, ref, owner)
  await refuseOthers(ctx, owner, live)
  return adoption
}

/** Why an object is left that nobody names. */
export const marked = 'It has the mark of an installation: name it by its id to take it over.'

/** What an import would make of an object. */
export interface Judged {
  importable: boolean
  reason: string | null
  kept: string[]
}

/**
 * Judges an object by itself; whether what it names has a record by then is seen when it is adopted.
 * @param named whether it is asked for by its id
 */
export async function judge(ctx: AdoptContext, one: Unmanaged, owner: Adoptive, named: boolean): Promise<Judged> {
  if (one.mark !== undefined && !named) return { importable: false, reason: marked, kept: [] }
  try {
    const adoption = await adoptionOf(ctx, one.kind, { live: one.live, ref: crypto.randomUUID(), owner })
    return { importable: true, reason: null, kept: keptOf(adoption) }
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return { importable: false, reason: error.message, kept: [] }
  }
}
