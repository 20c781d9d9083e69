import { inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { assistants } from '../assistants/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'

/** The workspaces of assistants and numbers, by their ids on the platform; those that are not ours are left out. */
export async function workspacesOfLive(tx: Transaction, liveIds: string[]): Promise<ReadonlyMap<string, number>> {
  if (liveIds.length === 0) return new Map()
  const ofAssistants = tx
    .select({ liveId: assistants.voiceAssistantId, workspaceId: assistants.workspaceId })
    .from(assistants)
    .where(inArray(assistants.voiceAssistantId, liveIds))
  const ofNumbers = tx
    .select({ liveId: sql<string>`${phoneNumbers.voicePhoneNumberId}`, workspaceId: phoneNumbers.workspaceId })
    .from(phoneNumbers)
    .where(inArray(phoneNumbers.voicePhoneNumberId, liveIds))
  const rows = await ofAssistants.unionAll(ofNumbers)
  return new Map(rows.map(({ liveId, workspaceId }) => [liveId, workspaceId]))
}
