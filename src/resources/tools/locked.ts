import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import { textsOf } from '../../voice-platform/mapping/settings.ts'
import { valueAt, withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
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

const attachedTo = (body: object) => textsOf(valueAt(body, ['model', 'toolIds']))

/** Of the tools that one body has and the next has not, those that cannot be detached. */
const lockedLeaving = (db: Database, from: object, to: object): Promise<string[]> => {
  const next = new Set(attachedTo(to))
  return lockedAmong(
    db,
    attachedTo(from).filter((id) => !next.has(id)),
  )
}

/** A live assistant with the locked tools that it was sent and that somebody detached there (contract: tools 6). */
export async function keepAttached(db: Database, sent: object, live: object): Promise<object> {
  const locked = await lockedLeaving(db, sent, live)
  if (locked.length === 0) return live
  return withLeaves(live, [{ path: ['model', 'toolIds'], to: [...locked, ...attachedTo(live)] }])
}

type Sides = Pick<typeof assistants.$inferInsert, 'live'> & { config?: AssistantConfig }

/**
 * A change of an assistant in which the locked tools that its remote object has stay attached on both sides, wherever
 * they came from and whatever takes them away: an editor, another template's base config, a restore
 * (contract: tools 6).
 */
export async function keepLocked<Change extends Sides>(db: Database, before: Sides, change: Change): Promise<Change> {
  const locked = await lockedLeaving(db, before.live, change.live)
  if (locked.length === 0) return change
  const { config = before.config ?? {} } = change
  const toolIds = [...new Set([...locked, ...textsOf(config.model?.toolIds)])]
  return {
    ...change,
    config: { ...config, model: { ...config.model, toolIds } },
    live: {
      ...change.live,
      model: { ...change.live.model, toolIds: [...new Set([...locked, ...attachedTo(change.live)])] },
    },
  }
}
