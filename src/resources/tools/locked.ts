import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { uuidsIn } from '../../voice-platform/drift/swept-kind.ts'
import { textsOf } from '../../voice-platform/mapping/settings.ts'
import type { AssistantConfig } from '../assistants/schema.ts'
import type { assistants } from '../assistants/table.ts'
import { tools } from '../catalogue/table.ts'

/** Of these tools, those that cannot be detached. */
export async function lockedAmong(db: Database, ids: string[]): Promise<string[]> {
  // A live assistant may name what is no tool of any catalogue.
  const known = uuidsIn(ids)
  if (known.length === 0) return []
  const rows = await db
    .select({ id: tools.id })
    .from(tools)
    .where(and(inArray(tools.id, known), eq(tools.locked, true)))
  return rows.map(({ id }) => id)
}

type Sides = Pick<typeof assistants.$inferInsert, 'live'> & { config?: AssistantConfig }

/**
 * A change of an assistant in which the locked tools that its remote object has stay attached on both sides, wherever
 * they came from and whatever takes them away: an editor, another template's base config, a restore (contract: tools
 * 6).
 */
export async function keepLocked<Change extends Sides>(db: Database, before: Sides, change: Change): Promise<Change> {
  const next = textsOf(change.live.model?.toolIds)
  const leaving = textsOf(before.live.model?.toolIds).filter((id) => !next.includes(id))
  const locked = await lockedAmong(db, leaving)
  if (locked.length === 0) return change
  const { config = before.config ?? {} } = change
  const toolIds = [...new Set([...locked, ...textsOf(config.model?.toolIds)])]
  return {
    ...change,
    config: { ...config, model: { ...config.model, toolIds } },
    live: { ...change.live, model: { ...change.live.model, toolIds: [...new Set([...locked, ...next])] } },
  }
}
