import { and, eq, inArray, sql } from 'drizzle-orm'
import { inScope } from '../../accounts/scope.ts'
import type { AccountContext } from '../../api/context.ts'
import { type FieldErrors, validationError } from '../../api/errors/api-error.ts'
import { tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'

type Json = Record<string, unknown>

/** The part of an assistant's `model` that says which tools it has; null when the whole `model` was cleared. */
export interface ToolChoice {
  toolIds?: string[] | null
  tools?: (string | Json)[] | null
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const idOf = (tool: string | Json): string | undefined => {
  const id = typeof tool === 'string' ? tool : (tool.value ?? tool.id ?? tool.toolId)
  return typeof id === 'string' ? id : undefined
}

interface Chosen {
  ids: string[]
  /** Tools that are defined in place rather than picked. */
  inline: Json[]
}

/** What a body chooses: `model.tools` and `model.toolIds` both take ids of the pick list (spec 3, section 4). */
function chosen(stored: ToolChoice, sent: ToolChoice): Chosen {
  const kept = (stored.tools ?? []).filter((tool): tool is Json => typeof tool !== 'string')
  if (sent.tools === undefined && sent.toolIds === undefined) return { ids: stored.toolIds ?? [], inline: kept }
  const picked = (sent.tools ?? []).flatMap((tool) => idOf(tool) ?? [])
  const inline =
    sent.tools === undefined ? kept : (sent.tools ?? []).filter((tool): tool is Json => idOf(tool) === undefined)
  return { ids: [...(sent.toolIds ?? []), ...picked], inline }
}

function malformed(ids: string[]): FieldErrors {
  const errors: FieldErrors = {}
  ids.forEach((id, index) => {
    if (!uuid.test(id)) errors[`model.toolIds.${index}`] = [`The model.toolIds.${index} field must be a valid UUID.`]
  })
  return errors
}

/** Of these tools, those that belong to accounts that the caller cannot see. */
async function foreign(ctx: AccountContext, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const own = await ctx.db
    .select({ id: tools.id, seen: sql<boolean>`${users.id} is not null` })
    .from(tools)
    .leftJoin(users, and(eq(users.id, tools.ownerId), inScope(ctx.scope, users)))
    .where(and(inArray(tools.id, ids), eq(tools.scope, 'own')))
  return new Set(own.filter(({ seen }) => !seen).map(({ id }) => id))
}

async function lockedAmong(ctx: AccountContext, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select({ id: tools.id })
    .from(tools)
    .where(and(inArray(tools.id, ids), eq(tools.locked, true)))
  return rows.map(({ id }) => id)
}

/**
 * The tools of an assistant after a body: what it chooses, and the locked ones that are attached already, which
 * cannot be detached (spec 1, Tool pick entry).
 * Throws 422 for an id that is no UUID or a tool of an account that the caller cannot see.
 */
export async function attachTools(
  ctx: AccountContext,
  stored: ToolChoice,
  sent: ToolChoice | null | undefined,
): Promise<{ toolIds: string[]; tools?: Json[] } | undefined> {
  if (sent === undefined) return undefined
  const before = stored.toolIds ?? []
  const { ids, inline } = sent === null ? { ids: [], inline: [] } : chosen(stored, sent)
  const added = ids.filter((id) => !before.includes(id))
  const errors = malformed(ids)
  const strangers = Object.keys(errors).length > 0 ? new Set<string>() : await foreign(ctx, added)
  ids.forEach((id, index) => {
    if (strangers.has(id)) errors[`model.toolIds.${index}`] = ['The selected tool does not exist.']
  })
  if (Object.keys(errors).length > 0) throw validationError(errors)
  const toolIds = [...new Set([...(await lockedAmong(ctx, before)), ...ids])]
  return inline.length > 0 ? { toolIds, tools: inline } : { toolIds }
}
