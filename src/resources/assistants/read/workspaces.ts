import { inArray } from 'drizzle-orm'
import type { Transaction } from '../../../db/client.ts'
import { assistants } from '../table.ts'

/** The workspaces of assistants, by their ids on the platform; those that are not ours are left out. */
export async function workspacesOfLive(tx: Transaction, liveIds: string[]): Promise<ReadonlyMap<string, number>> {
  if (liveIds.length === 0) return new Map()
  const rows = await tx
    .select({ liveId: assistants.voiceAssistantId, workspaceId: assistants.workspaceId })
    .from(assistants)
    .where(inArray(assistants.voiceAssistantId, liveIds))
  return new Map(rows.map(({ liveId, workspaceId }) => [liveId, workspaceId]))
}
