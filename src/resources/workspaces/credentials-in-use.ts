import { eq } from 'drizzle-orm'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'
import { userOf } from '../references/in-use.ts'

/**
 * Throws 422 when something of the workspace still names a credential that is to be taken away: the voice platform would
 * go on using it.
 */
export async function requireUnused(executor: Executor, workspaceId: number, taken: readonly string[]): Promise<void> {
  for (const credential of taken) {
    const user = await userOf(executor, (id) => eq(id, workspaceId), { kind: 'credential', id: credential })
    if (user === undefined) continue
    const text = `The credential ${credential} is in use by the ${user}.`
    throw validationError({ webhook_credentials: [text] })
  }
}
