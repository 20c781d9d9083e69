import { and, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '../../db/client.ts'
import { namesOfKind, type Reference } from '../../voice-platform/references/find.ts'
import { assistants } from '../assistants/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'

type Named = Pick<Reference, 'kind' | 'id'>

/** Whether a body names the object, by itself or in a list, at whatever depth. */
function names(body: AnyPgColumn, { kind, id }: Named): SQL {
  const here = namesOfKind(kind).map((name) => `@.${name}[*] == $id`)
  const path = `$.** ? (${here.join(' || ')})`
  return sql`jsonb_path_exists(${body}, ${path}::jsonpath, ${JSON.stringify({ id })}::jsonb)`
}

/**
 * A number, assistant or squad that names an object of the voice platform, in words, or undefined.
 * @param within says of a column of workspaces' ids whose are looked at
 */
export async function userOf(
  executor: Executor,
  within: (workspaceId: AnyPgColumn) => SQL,
  object: Named,
): Promise<string | undefined> {
  const [number] = await executor
    .select({ name: phoneNumbers.phoneNumber })
    .from(phoneNumbers)
    .where(
      and(within(phoneNumbers.workspaceId), or(names(phoneNumbers.server, object), names(phoneNumbers.hooks, object))),
    )
    .limit(1)
  if (number) return `phone number ${number.name}`
  const [assistant] = await executor
    .select({ name: assistants.name })
    .from(assistants)
    .where(and(within(assistants.workspaceId), names(assistants.live, object)))
    .limit(1)
  if (assistant) return `assistant ${assistant.name}`
  const inSquad = or(names(squads.members, object), names(squads.membersOverrides, object))
  const [squad] = await executor
    .select({ name: squads.name })
    .from(squads)
    .where(and(within(squads.workspaceId), inSquad))
    .limit(1)
  return squad && `squad ${squad.name}`
}
