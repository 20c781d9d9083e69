import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'
import { assistants } from '../assistants/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'

/** Whether a body names the credential, at whatever depth. */
function names(body: AnyPgColumn, credential: string): SQL {
  const path = '$.** ? (@.credentialId == $id || @.credentialIds[*] == $id)'
  return sql`jsonb_path_exists(${body}, ${path}::jsonpath, ${JSON.stringify({ id: credential })}::jsonb)`
}

/** A number, assistant or squad of the workspace that names the credential, in words. */
async function userOf(executor: Executor, workspaceId: number, credential: string): Promise<string | undefined> {
  const [number] = await executor
    .select({ name: phoneNumbers.phoneNumber })
    .from(phoneNumbers)
    .where(and(eq(phoneNumbers.workspaceId, workspaceId), names(phoneNumbers.server, credential)))
    .limit(1)
  if (number) return `phone number ${number.name}`
  const [assistant] = await executor
    .select({ name: assistants.name })
    .from(assistants)
    .where(and(eq(assistants.workspaceId, workspaceId), names(assistants.live, credential)))
    .limit(1)
  if (assistant) return `assistant ${assistant.name}`
  const inSquad = or(names(squads.members, credential), names(squads.membersOverrides, credential))
  const [squad] = await executor
    .select({ name: squads.name })
    .from(squads)
    .where(and(eq(squads.workspaceId, workspaceId), inSquad))
    .limit(1)
  return squad && `squad ${squad.name}`
}

/**
 * Throws 422 when something of the workspace still names a credential that is to be taken away: the voice platform would
 * go on using it.
 */
export async function requireUnused(executor: Executor, workspaceId: number, taken: readonly string[]): Promise<void> {
  for (const credential of taken) {
    const user = await userOf(executor, workspaceId, credential)
    if (user === undefined) continue
    const text = `The credential ${credential} is in use by the ${user}.`
    throw validationError({ webhook_credentials: [text] })
  }
}
