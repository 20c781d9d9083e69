import { and, eq, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '../../db/client.ts'
import { literal } from '../../runtime/literal.ts'
import { namesOfKind, type Reference } from '../../voice-platform/references/find.ts'
import { assistants } from '../assistants/table.ts'
import { baseConfigs, layer2Presets, tools } from '../catalogue/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'
import { users } from '../users/table.ts'

type Named = Pick<Reference, 'kind' | 'id'>

/**
 * Whether a body names the object, by itself or in a list, at whatever depth; `besides` says where else it may stand.
 * Ids are compared as everywhere: what was adopted from outside may be in capitals.
 */
function names(body: AnyPgColumn, { kind, id }: Named, besides: readonly string[] = []): SQL {
  const pattern = JSON.stringify(`^\\s*${literal(id)}\\s*$`)
  const here = [...namesOfKind(kind), ...besides].map((name) => `@.${name}[*] like_regex ${pattern} flag "i"`)
  const path = `$.** ? (${here.join(' || ')})`
  return sql`jsonb_path_exists(${body}, ${path}::jsonpath)`
}

/** What names an object. */
export interface NamingObject {
  kind: 'phone number' | 'assistant' | 'squad' | 'tool' | 'base config' | 'layer-2 preset'
  name: string
}

/** A kind of object that names others, and is named itself. */
export type NamedObject = 'assistant' | 'squad'

type Except = { kind: NamedObject; key: number } | { kind: 'tool'; tools: SQL }

/**
 * A number, assistant or squad that names an object of the voice platform, or a user's own tool that does so, or
 * undefined.
 * @param within says of a column of workspaces' ids whose are looked at; everywhere unless given
 * @param except what is passed over: an object by its key, or tools
 */
export async function userOf(
  executor: Executor,
  object: Named,
  within: (workspaceId: AnyPgColumn) => SQL | undefined = () => undefined,
  except?: Except,
): Promise<NamingObject | undefined> {
  const [number] = await executor
    .select({ name: phoneNumbers.phoneNumber })
    .from(phoneNumbers)
    .where(
      and(within(phoneNumbers.workspaceId), or(names(phoneNumbers.server, object), names(phoneNumbers.hooks, object))),
    )
    .limit(1)
  if (number) return { kind: 'phone number', name: number.name }
  const isOther = (kind: NamedObject, key: AnyPgColumn) =>
    except && except.kind !== 'tool' && except.kind === kind ? ne(key, except.key) : undefined
  // A copy of a layer is one that only this assistant has.
  const inAssistant = [assistants.live, assistants.config, assistants.kept].map((body) => names(body, object))
  const [assistant] = await executor
    .select({ name: assistants.name })
    .from(assistants)
    .where(and(within(assistants.workspaceId), isOther('assistant', assistants.id), or(...inAssistant)))
    .limit(1)
  if (assistant) return { kind: 'assistant', name: assistant.name }
  const inSquad = [squads.members, squads.membersOverrides, squads.live].map((body) => names(body, object))
  const [squad] = await executor
    .select({ name: squads.name })
    .from(squads)
    .where(and(within(squads.workspaceId), isOther('squad', squads.id), or(...inSquad)))
    .limit(1)
  if (squad) return { kind: 'squad', name: squad.name }
  return toolNaming(executor, object, within, except?.kind === 'tool' ? except.tools : undefined)
}

/** A tool of a member's own whose definition names the object, or undefined. */
async function toolNaming(
  executor: Executor,
  object: Named,
  within: (workspaceId: AnyPgColumn) => SQL | undefined,
  except: SQL | undefined,
): Promise<NamingObject | undefined> {
  const isOther = except && not(except)
  const [tool] = await executor
    .select({ name: tools.label })
    .from(tools)
    .innerJoin(users, eq(users.id, tools.ownerId))
    .where(and(eq(tools.scope, 'own'), within(users.workspaceId), isOther, names(tools.definition, object)))
    .limit(1)
  return tool && { kind: 'tool', name: tool.name }
}

/** Where else than by its own names a layer picks a tool, as `lockLayer` reads it. */
const picks = ['tools', 'tools[*].value', 'tools[*].id']

/**
 * What reaches every workspace and names a tool, a layer of the catalogue or another tool that is everybody's, or
 * undefined.
 */
export async function layerNaming(executor: Executor, id: string): Promise<NamingObject | undefined> {
  const isIn = (body: AnyPgColumn) => names(body, { kind: 'tool', id }, picks)
  const [base] = await executor
    .select({ name: baseConfigs.name })
    .from(baseConfigs)
    .where(isIn(baseConfigs.config))
    .limit(1)
  if (base) return { kind: 'base config', name: base.name }
  const [preset] = await executor
    .select({ name: layer2Presets.name })
    .from(layer2Presets)
    .where(isIn(layer2Presets.overrides))
    .limit(1)
  if (preset) return { kind: 'layer-2 preset', name: preset.name }
  const [tool] = await executor
    .select({ name: tools.label })
    .from(tools)
    .where(and(eq(tools.scope, 'global'), ne(tools.id, id), names(tools.definition, { kind: 'tool', id })))
    .limit(1)
  return tool && { kind: 'tool', name: tool.name }
}
