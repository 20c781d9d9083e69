import { type FieldErrors, validationError } from '../../api/errors/api-error.ts'
import type { Database } from '../../db/client.ts'
import { isObject, type Json } from '../../json/object.ts'
import { isPlainUuid } from '../../runtime/uuid.ts'
import type { Reference } from '../../voice-platform/references/find.ts'
import { resolveAll, unknownReference } from '../references/resolve.ts'
import { lockedAmong } from './locked.ts'

/** The part of an assistant's `model` that says which tools it has; null when the whole `model` was cleared. */
export interface ToolChoice {
  toolIds?: string[] | null
  tools?: (string | Json)[] | null
}

/** Where an item of `model.tools` has the id of the tool that it picks, rather than defining one in place. */
export const pickingKey = (tool: Json): string | undefined => ['value', 'id', 'toolId'].find((key) => tool[key] != null)

const idOf = (tool: string | Json): string | undefined => {
  const id = typeof tool === 'string' ? tool : tool[pickingKey(tool) ?? 'value']
  return typeof id === 'string' ? id : undefined
}

const isTyped = ({ type }: Json): boolean => typeof type === 'string' && type !== ''

/**
 * Whether what stands at a path of an assistant's settings is no tool that is defined there: `attachTools` looks at it.
 */
export const isAttached = (path: string, tool: unknown): boolean =>
  /(^|\.)model\.tools\.\d+$/.test(path) && isObject(tool) && (idOf(tool) !== undefined || !isTyped(tool))

/** A tool that is picked by its id, and where the body names it. */
type Picked = Pick<Reference, 'kind' | 'id' | 'path'>

interface Chosen {
  picked: Picked[]
  /** Tools that are defined in place rather than picked. */
  inline: Json[]
  errors: FieldErrors
}

const pickedAt = (field: string, ids: readonly string[]): Picked[] =>
  ids.map((id, index) => ({ kind: 'tool', id: id.toLowerCase(), path: `${field}.${index}` }))

/** What a body chooses: `model.tools` and `model.toolIds` both take ids of the pick list (contract: assistants 28). */
function chosen(stored: ToolChoice, sent: ToolChoice): Chosen {
  const kept = (stored.tools ?? []).filter((tool): tool is Json => typeof tool !== 'string')
  const inline: Json[] = sent.tools === undefined ? kept : []
  const picked = pickedAt('model.toolIds', sent.toolIds ?? [])
  const errors: FieldErrors = {}
  for (const [index, tool] of (sent.tools ?? []).entries()) {
    const path = `model.tools.${index}`
    const id = idOf(tool)
    if (id !== undefined) picked.push({ kind: 'tool', id: id.toLowerCase(), path })
    else if (typeof tool === 'string') continue
    else if (isTyped(tool)) inline.push(tool)
    else errors[`${path}.type`] = [`The ${path}.type field is required.`]
  }
  return { picked, inline, errors }
}

/**
 * The tools of an assistant of a workspace after a body: what it chooses, and the locked ones that are attached
 * already, which cannot be detached (contract: tools 6). What its live object has already, `live`, may be named again,
 * whoever attached it there. Throws 422 for an id that is no UUID or no tool that the workspace may name, whoever asks,
 * and for a tool that is neither named nor defined.
 */
export async function attachTools(
  { db }: { db: Database },
  workspaceId: number,
  stored: ToolChoice,
  sent: ToolChoice | null | undefined,
  live: readonly string[] = [],
): Promise<{ toolIds: string[]; tools?: Json[] } | undefined> {
  if (sent === undefined || (sent && sent.tools === undefined && sent.toolIds === undefined)) return undefined
  const before = stored.toolIds ?? []
  const theirs = new Set(live)
  const attached = new Set([...before, ...live])
  const { picked, inline, errors } = sent === null ? { picked: [], inline: [], errors: {} } : chosen(stored, sent)
  for (const { id, path } of picked) {
    if (!isPlainUuid(id) && !theirs.has(id)) errors[path] = [`The ${path} field must be a valid UUID.`]
  }
  const added = picked.filter(({ id, path }) => !attached.has(id) && !errors[path])
  const known = await resolveAll(db, workspaceId, added)
  for (const one of added) if (known.get(one) === undefined) errors[one.path] = [unknownReference('tool')]
  if (Object.keys(errors).length > 0) throw validationError(errors)
  const toolIds = [...new Set([...(await lockedAmong(db, before)), ...picked.map(({ id }) => id)])]
  return inline.length > 0 ? { toolIds, tools: inline } : { toolIds }
}
