import type { Executor } from '../../db/client.ts'
import { type Reference, referencesIn } from '../../voice-platform/references/find.ts'
import { isOfEditor } from '../assistants/write/named.ts'
import type { AssistantChange } from '../assistants/write/update.ts'
import { removeReferences } from '../references/remove.ts'
import { resolveToNow } from '../references/resolve.ts'

/** An object that a version names and that is gone. */
export interface LeftOut {
  kind: string
  id: string
}

/** Kinds of which every object is recorded here, so that what is not found is gone, or somebody else's. */
const recorded: ReadonlySet<string> = new Set(['tool', 'assistant', 'squad', 'credential'])

type Parts = Pick<AssistantChange, 'live' | 'sources'> & Required<Pick<AssistantChange, 'config' | 'build' | 'kept'>>

const keyOf = ({ kind, id }: Pick<Reference, 'kind' | 'id'>) => `${kind} ${id}`

const namedIn = (body: unknown) => referencesIn(body).filter(({ kind }) => recorded.has(kind))

/**
 * What a version names and the workspace has no more; what was made again gets, in place, the id that it has now.
 * Operators name what workspaces do not have in the layers of what is built: such an assistant or squad is gone when
 * nobody has it, a credential never, and a tool like an editor's.
 */
async function goneIn(executor: Executor, workspaceId: number, parts: Parts): Promise<Reference[]> {
  const { config, sources, live, build, kept } = parts
  const ofLayers = new Set(namedIn(sources).map(keyOf))
  const isEditors = isOfEditor({ build: build ?? null })
  const settings = namedIn(config)
  const others = [...settings.filter((one) => !isEditors(one)), ...[live, build, kept, sources].flatMap(namedIn)]
  const isOperators = (one: Reference) => one.kind !== 'tool' && ofLayers.has(keyOf(one))
  const own = [...settings.filter(isEditors), ...others.filter((one) => !isOperators(one))]
  const operators = others.filter((one) => isOperators(one) && one.kind !== 'credential')
  const [mine, anybodys] = await Promise.all([
    resolveToNow(executor, workspaceId, own),
    resolveToNow(executor, 'anybody', operators),
  ])
  return [...mine, ...anybodys].flatMap(([reference, id]) => {
    if (id === undefined) return [reference]
    reference.replace(id)
    return []
  })
}

/**
 * Takes out of a version, in place, what leads to objects that were deleted since, or that the workspace lost: a tool
 * that is picked, or a tool or hook that names one, in the record, the live body and the copies of layers alike.
 * Returns each object once.
 */
export async function leaveOut(executor: Executor, workspaceId: number, parts: Parts): Promise<LeftOut[]> {
  const gone = new Map((await goneIn(executor, workspaceId, parts)).map((one) => [keyOf(one), one]))
  const { config, live, build, kept, sources } = parts
  const isGone = (one: Reference) => gone.has(keyOf(one))
  for (const part of [config, live, build, kept, sources]) {
    if (part) removeReferences(part, namedIn(part).filter(isGone))
  }
  return [...gone.values()].map(({ kind, id }) => ({ kind, id }))
}
