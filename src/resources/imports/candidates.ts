import { unstorable } from '../../api/errors/validation.ts'
import { nameOf } from '../../voice-platform/drift/name-of.ts'
import { liveWrites } from '../../voice-platform/mirror/journal/table.ts'
import type { LiveObject } from '../../voice-platform/mirror/remote-kind.ts'
import { toolsInMaking } from '../catalogue/tool-remote.ts'
import {
  fieldsOf,
  type ImportContext,
  type Importer,
  type ImportOwner,
  ImportRefusal,
  keptOf,
  markIn,
  type PreparedImport,
  refuseOthers,
} from './importer.ts'
import { assistantImporter } from './kinds/assistants.ts'
import { numberImporter } from './kinds/numbers.ts'
import { squadImporter } from './kinds/squads.ts'
import { toolImporter } from './kinds/tools.ts'
import type { ImportKind } from './table.ts'

/** In the order in which they are adopted. */
export const importers: readonly Importer[] = [toolImporter, assistantImporter, squadImporter, numberImporter]

/** The importer of a kind. */
export function importerOf(kind: ImportKind): Importer {
  const found = importers.find((one) => one.kind === kind)
  if (!found) throw new Error(`No importer of kind ${kind}`)
  return found
}

/** The ids of those objects of a kind that have a record. */
export async function recordedAmong(
  parts: Omit<ImportContext, 'account'>,
  { remote, recorded }: Importer,
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
export async function unmanaged(ctx: ImportContext, signal: AbortSignal, only?: ImportKind): Promise<Unmanaged[]> {
  const found: Unmanaged[] = []
  for (const importer of importers.filter(({ kind }) => only === undefined || kind === only)) {
    for await (const page of importer.remote(ctx).live.pages(undefined, { signal })) {
      const known = await recordedAmong(ctx, importer, page)
      for (const live of page.filter(({ id }) => !known.has(id))) {
        const { metadata, membersOverrides } = fieldsOf(live)
        const mark = markIn(metadata) ?? markIn(fieldsOf({ ...(membersOverrides as object) }).metadata)
        found.push({ kind: importer.kind, live, name: nameOf(live), mark })
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
    importers.map((importer) => {
      const objects = unmade.filter(({ kind }) => kind === importer.kind).map(({ live }) => live)
      return recordedAmong(ctx, importer, objects)
    }),
  )
  return unmade.filter(({ live }) => !recorded.some((known) => known.has(live.id)))
}

/** What an import makes of an object. Throws ImportRefusal, also for what is larger or deeper than a body may be. */
export async function preparedImportOf(
  ctx: ImportContext,
  kind: ImportKind,
  { live, ref, owner }: { live: LiveObject; ref: string; owner: ImportOwner },
): Promise<PreparedImport> {
  if (unstorable(live)) throw new ImportRefusal('It holds more, or is nested deeper, than can be stored.')
  const prepared = await importerOf(kind).prepare(ctx, live, ref, owner)
  await refuseOthers(ctx, owner, live)
  return prepared
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
export async function judge(ctx: ImportContext, one: Unmanaged, owner: ImportOwner, named: boolean): Promise<Judged> {
  if (one.mark !== undefined && !named) return { importable: false, reason: marked, kept: [] }
  try {
    const prepared = await preparedImportOf(ctx, one.kind, { live: one.live, ref: crypto.randomUUID(), owner })
    return { importable: true, reason: null, kept: keptOf(prepared) }
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return { importable: false, reason: error.message, kept: [] }
  }
}
