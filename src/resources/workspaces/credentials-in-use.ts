import { eq } from 'drizzle-orm'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'
import { userOf } from '../references/in-use.ts'

/**
 * Throws 422 when something of the workspace still names a credential that is to be taken away: the voice platform
 * would go on using it.
 */
export async function requireUnused(executor: Executor, workspaceId: number, taken: readonly string[]): Promise<void> {
  for (const credential of taken) {
    const user = await userOf(executor, { kind: 'credential', id: credential }, (id) => eq(id, workspaceId))
    if (user === undefined) continue
    const text = `The credential ${credential} is in use by the ${user.kind} ${user.name}.`
    throw validationError({ webhook_credentials: [text] })
  }
}
