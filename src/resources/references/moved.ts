import { inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import { referencesIn } from '../../voice-platform/references/find.ts'
import type { Sources } from '../assistants/rendering/sources.ts'
import type { AssistantConfig } from '../assistants/schema.ts'
import type { assistants } from '../assistants/table.ts'
import { tools } from '../catalogue/table.ts'
import { strangersAmong } from './own.ts'
import { removeReferences } from './remove.ts'

type Sides = Pick<typeof assistants.$inferInsert, 'live'> & { config?: AssistantConfig }

/** A body without what names objects that the workspace does not have, unless operators configured it, `given`. */
async function withoutStrangers<Body extends object>(
  db: Database,
  workspaceId: number,
  body: Body,
  given: ReadonlySet<string>,
): Promise<Body> {
  const copy = structuredClone(body)
  const strangers = await strangersAmong(db, workspaceId, referencesIn(copy))
  const picked = strangers.flatMap(({ kind, id }) => (kind === 'tool' ? id : []))
  const known = await db
    .select({ id: tools.id })
    .from(tools)
    .where(inArray(tools.id, uuidsIn(picked)))
  // A tool that the catalogue has and the workspace does not see is somebody's own, whoever configured it.
  const personal = new Set(known.map(({ id }) => id))
  removeReferences(
    copy,
    strangers.filter(({ kind, id }) => !given.has(id) || (kind === 'tool' && personal.has(id))),
  )
  return copy
}

/**
 * A change of an assistant that moves to a workspace, without what names objects of another, on both sides: it would
 * lead calls of its new owner there (contract: assistants 42). What its layers in the catalogue name stays.
 */
export async function movedTo<Change extends Sides>(
  db: Database,
  workspaceId: number,
  before: Sides,
  change: Change,
  sources: Sources,
): Promise<Change> {
  const given = new Set(referencesIn(structuredClone(sources)).map(({ id }) => id))
  const { config = before.config ?? {}, live } = change
  return {
    ...change,
    config: await withoutStrangers(db, workspaceId, config, given),
    live: await withoutStrangers(db, workspaceId, live, given),
  }
}
