import { validationError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { referencesIn } from '../../voice-platform/references/find.ts'
import { othersAmong } from '../references/own.ts'
import type { OwnTool } from './in-use.ts'

/**
 * Keeps the own tools of a user who came to a workspace from reaching what another one has (contract: accounts 20). To
 * be called in the transaction of the move, when the workspace is locked: of an object that leaves it at the same time,
 * either sees the other. Throws 422 on `workspace_id`.
 */
export async function requireToolsAtHome(tx: Transaction, workspaceId: number, own: readonly OwnTool[]): Promise<void> {
  for (const { label, definition } of own) {
    const [other] = await othersAmong(tx, workspaceId, referencesIn(definition))
    if (!other) continue
    const text = `The tool ${label} names the ${other.kind} ${other.id}, which another workspace has.`
    throw validationError({ workspace_id: [text] })
  }
}
