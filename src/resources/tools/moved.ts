import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { uuidsIn } from '../../voice-platform/drift/swept-kind.ts'
import { textsOf } from '../../voice-platform/mapping/settings.ts'
import type { AssistantConfig } from '../assistants/schema.ts'
import type { assistants } from '../assistants/table.ts'
import { tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'

type Sides = Pick<typeof assistants.$inferInsert, 'live'> & { config?: AssistantConfig }

/**
 * A change of an assistant that moves to a workspace, without the tools that belong to somebody elsewhere, on both sides:
 * its new owner would call their servers (contract: assistants 42).
 */
export async function withoutStrangers<Change extends Sides>(
  db: Database,
  before: Sides,
  change: Change,
  workspaceId: number,
): Promise<Change> {
  const attached = textsOf(change.live.model?.toolIds)
  const foreign = await db
    .select({ id: tools.id })
    .from(tools)
    .innerJoin(users, eq(users.id, tools.ownerId))
    .where(and(inArray(tools.id, uuidsIn(attached)), eq(tools.scope, 'own'), ne(users.workspaceId, workspaceId)))
  if (foreign.length === 0) return change
  const stays = (id: string) => !foreign.some((tool) => tool.id === id)
  const { config = before.config ?? {} } = change
  const toolIds = textsOf(config.model?.toolIds).filter(stays)
  return {
    ...change,
    config: { ...config, model: { ...config.model, toolIds } },
    live: { ...change.live, model: { ...change.live.model, toolIds: attached.filter(stays) } },
  }
}
