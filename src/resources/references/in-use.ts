import { and, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '../../db/client.ts'
import { namesOfKind, type Reference } from '../../voice-platform/references/find.ts'
import { assistants } from '../assistants/table.ts'
import { baseConfigs, layer2Presets } from '../catalogue/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'

type Named = Pick<Reference, 'kind' | 'id'>

/** Whether a body names the object, by itself or in a list, at whatever depth. */
function names(body: AnyPgColumn, { kind, id }: Named): SQL {
  const here = namesOfKind(kind).map((name) => `@.${name}[*] == $id`)
  const path = `$.** ? (${here.join(' || ')})`
  return sql`jsonb_path_exists(${body}, ${path}::jsonpath, ${JSON.stringify({ id })}::jsonb)`
}

/** What names an object. */
export interface NamingObject {
  kind: 'phone number' | 'assistant' | 'squad'
  name: string
}

/**
 * A number, assistant or squad that names an object of the voice platform, or undefined.
 * @param within says of a column of workspaces' ids whose are looked at; everywhere unless given
 */
export async function userOf(
  executor: Executor,
  object: Named,
  within: (workspaceId: AnyPgColumn) => SQL | undefined = () => undefined,
): Promise<NamingObject | undefined> {
  const [number] = await executor
    .select({ name: phoneNumbers.phoneNumber })
    .from(phoneNumbers)
    .where(
      and(within(phoneNumbers.workspaceId), or(names(phoneNumbers.server, object), names(phoneNumbers.hooks, object))),
    )
    .limit(1)
  if (number) return { kind: 'phone number', name: number.name }
  const [assistant] = await executor
    .select({ name: assistants.name })
    .from(assistants)
    .where(and(within(assistants.workspaceId), or(names(assistants.live, object), names(assistants.config, object))))
    .limit(1)
  if (assistant) return { kind: 'assistant', name: assistant.name }
  const inSquad = or(names(squads.members, object), names(squads.membersOverrides, object))
  const [squad] = await executor
    .select({ name: squads.name })
    .from(squads)
    .where(and(within(squads.workspaceId), inSquad))
    .limit(1)
  return squad && { kind: 'squad', name: squad.name }
}

/** The layers of the catalogue that name an object, in words, or undefined. */
export async function layerNaming(executor: Executor, object: Named): Promise<string | undefined> {
  const [base] = await executor
    .select({ id: baseConfigs.id })
    .from(baseConfigs)
    .where(names(baseConfigs.config, object))
    .limit(1)
  if (base) return 'base configs'
  const [preset] = await executor
    .select({ id: layer2Presets.id })
    .from(layer2Presets)
    .where(names(layer2Presets.overrides, object))
    .limit(1)
  return preset && 'layer-2 presets'
}
