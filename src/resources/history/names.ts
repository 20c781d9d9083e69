import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { isObject } from '../../json/object.ts'
import { textsOf } from '../../voice-platform/mapping/settings.ts'
import type { Sources } from '../assistants/rendering/sources.ts'
import { tools } from '../catalogue/table.ts'
import { ofWorkspace } from '../references/of-workspace.ts'
import { users } from '../users/table.ts'
import type { Configuration } from './configuration.ts'
import { assistantVersions } from './table.ts'

const toolIdsIn = ({ config }: Configuration): string[] => {
  const { model } = config as { model?: unknown }
  return isObject(model) ? textsOf(model.toolIds) : []
}

/** The labels of the tools that configurations attach, by id; of those that a workspace may not name it gets none. */
export async function toolNames(
  db: Executor,
  workspaceId: number,
  configurations: readonly Configuration[],
): Promise<Map<string, string>> {
  const ids = [...new Set(configurations.flatMap(toolIdsIn))]
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: tools.id, label: tools.label })
    .from(tools)
    .leftJoin(users, eq(users.id, tools.ownerId))
    .where(and(inArray(tools.id, ids), ofWorkspace(workspaceId)))
  return new Map(found.map(({ id, label }) => [id, label]))
}

const findCurrent = preparedSelect<{ id: number; sources: Sources | null }>(
  { id: assistantVersions.id, sources: assistantVersions.configuration },
  (executor) =>
    executor
      .select({ id: assistantVersions.id, sources: sql`${assistantVersions.configuration} -> 'sources'` })
      .from(assistantVersions)
      .where(
        and(
          eq(assistantVersions.assistantId, sql.placeholder('assistantId')),
          isNotNull(assistantVersions.configuration),
        ),
      )
      .orderBy(desc(assistantVersions.id))
      .limit(1),
)

/**
 * The entry of an assistant's current configuration, null for none, and what that was rendered from, as its history
 * says.
 */
export async function currentVersion(
  db: Executor,
  assistantId: number,
): Promise<{ id: number | null; sources: Sources }> {
  const [row] = await findCurrent(db, { assistantId })
  return { id: row?.id ?? null, sources: row?.sources ?? {} }
}
