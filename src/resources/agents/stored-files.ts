import { eq } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { knowledgeFiles } from '../files/table.ts'

/** The storage keys of an agent's files, to be removed after the agent is. */
export async function storedKeys(executor: Executor, agentId: number): Promise<string[]> {
  const mine = eq(knowledgeFiles.agentId, agentId)
  const rows = await executor.select({ key: knowledgeFiles.storageKey }).from(knowledgeFiles).where(mine)
  return rows.map(({ key }) => key)
}
