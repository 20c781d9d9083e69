import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { Granted } from '../../webhooks/credentials.ts'
import { workspaces } from './table.ts'

/** Says whether an operator has granted a credential to a workspace, as of now. */
export function grantedCredentials(db: Database): Granted {
  return async (workspaceId, credentialId) => {
    const names = sql`${workspaces.webhookCredentials} @> ${JSON.stringify([credentialId])}::jsonb`
    const [found] = await db
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(and(eq(workspaces.id, workspaceId), names))
    return found !== undefined
  }
}
