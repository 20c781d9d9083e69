import { and, asc, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../db/client.ts'
import type { Json } from '../../json/object.ts'
import type { Clock } from '../../runtime/clock.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { createAdoption, inGroups } from '../../voice-platform/mirror/agreement/adoption.ts'
import { refOfFormer } from '../../voice-platform/mirror/agreement/bases.ts'
import { withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
import type { Adopt } from '../../voice-platform/mirror/agreement/survey.ts'
import { liveWrites, nobody } from '../../voice-platform/mirror/journal/table.ts'
import { liveDiffers } from '../../voice-platform/mirror/live-differs.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import { rebindObject } from '../references/follow.ts'
import { ownOutside } from '../references/own.ts'
import { users } from '../users/table.ts'
import { toolCreations, tools } from './table.ts'

/** A tool as the platform is told: its type, and what its definition says. */
export interface ToolBody extends Record<string, unknown> {
  type: string
}

/** The platform's body of an entry. A function without a definition is called by its label. */
export function toolBody(entry: {
  type: string
  label: string
  description: string
  definition: Record<string, unknown> | null
}): ToolBody {
  const { type, label, description, definition } = entry
  const name = label.replace(/[^\w-]+/g, '_').slice(0, 40)
  const callable = type === 'function' && { function: { name, description } }
  return { ...callable, ...definition, type }
}

/** Under what a tool is journalled; its own id for one that operators made on the platform. */
export const toolRef = sql<string>`coalesce(${tools.ref}, ${tools.id})::text`

const pageSize = 1000

/**
 * How much earlier than our note of it a tool may seem to be made. Less than for what has our reference: what is missed
 * is left on the platform, while what was there before could be taken for ours.
 */
const clockSkewMs = 10_000

/** Gives a tool another one on the platform, and so another id: whatever names it follows. */
async function rebindTool(tx: Transaction, ref: string, liveId: string): Promise<void> {
  const mine = eq(tools.ref, ref)
  const [known] = await tx.select({ id: tools.id }).from(tools).where(mine)
  if (!known) throw new Error('The tool of a new remote object is gone')
  const save = () => tx.update(tools).set({ id: liveId }).where(mine)
  await rebindObject(tx, { from: known.id, to: liveId, save })
}

/** The bodies of each tool that somebody is at work on making, none where they are not known. */
async function bodiesInMaking(db: Database, except?: string): Promise<object[][]> {
  const writes = await db
    .select({ made: toolCreations.body, recorded: tools })
    .from(liveWrites)
    .leftJoin(toolCreations, sql`${toolCreations.ref}::text = ${liveWrites.ref}`)
    .leftJoin(tools, sql`${tools.ref}::text = ${liveWrites.ref}`)
    .where(
      and(
        eq(liveWrites.kind, 'tool'),
        eq(liveWrites.createSent, true),
        except === undefined ? undefined : ne(liveWrites.ref, except),
        ne(liveWrites.owner, nobody),
      ),
    )
  return writes.map(({ made, recorded }) => [made, recorded && toolBody(recorded)].filter((one) => one !== null))
}

/**
 * Whether somebody is at work on another write that makes such a tool: what is found on the platform may be what it
 * made and is about to record. Asked after the platform and before the records, so that one which has ended meanwhile
 * has its record.
 */
async function isMadeElsewhere(db: Database, ref: string, body: object): Promise<boolean> {
  const others = await bodiesInMaking(db, ref)
  return others.some((bodies) => bodies.length === 0 || bodies.some((one) => liveDiffers(body, one).length === 0))
}

/** Tells tools of the platform that may be what somebody is making right now; to be asked as `isMadeElsewhere` is. */
export async function toolsInMaking(db: Database): Promise<(live: object) => boolean> {
  const made = await bodiesInMaking(db)
  return (live) =>
    made.some((bodies) => bodies.length === 0 || bodies.some((one) => liveDiffers(one, live).length === 0))
}

/**
 * Takes what was changed outside into the definition of a tool, when recovery meets it; into that of somebody's own
 * tool, without what names an object that their workspace does not have.
 */
const toolAdopter =
  ({ clock }: { clock: Clock }): Adopt =>
  async (tx, ref, outside) => {
    const mine = eq(tools.ref, ref)
    const [found] = await tx
      .select({ row: tools, workspaceId: users.workspaceId })
      .from(tools)
      .leftJoin(users, eq(users.id, tools.ownerId))
      .where(mine)
      .for('update', { of: tools })
    if (!found) throw new Error('The tool that was changed outside is gone')
    const { row, workspaceId } = found
    const own = workspaceId === null ? outside : await ownOutside(tx, workspaceId, outside)
    const compose = (definition: Json) => toolBody({ ...row, definition })
    const adoption = createAdoption<Json>(own, row.definition ?? {}, compose)
    for (const group of inGroups(own.changes)) {
      const open = group.filter(adoption.isOpen)
      if (open.length > 0) adoption.accept(withLeaves(adoption.state, open))
    }
    await tx.update(tools).set({ definition: adoption.state, updatedAt: clock.now() }).where(mine)
    return adoption.composed()
  }

interface RemoteOptions {
  platform: PlatformClient
  db: Database
  clock: Clock
}

/**
 * A tool of the catalogue and the one on the platform that it was made as. The platform keeps no reference of ours:
 * what a create made is known by its body, and only where nothing else can be it (contract: tools 19).
 */
export function toolRemote({ platform, db, clock }: RemoteOptions): RemoteKind<ToolBody> {
  const { tools: live } = platform
  return {
    kind: 'tool',
    agreement: { defaults: {}, all: true },
    live: {
      create: live.create,
      // The platform fixes a tool's type when it is made.
      update: (id, { type: _fixed, ...body }, options) => live.update(id, body, options),
      get: live.get,
      delete: live.delete,
      pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
      async find(ref, since, options) {
        const [made] = await db.select().from(toolCreations).where(eq(toolCreations.ref, ref))
        if (!made) return []
        const from = new Date(Math.max(since.getTime(), made.createdAt.getTime() - clockSkewMs))
        const recent = await live.list({ limit: pageSize, createdAtGe: from.toISOString() }, options)
        const alike = recent.filter((one) => liveDiffers(made.body, one).length === 0)
        if (alike.length === 0 || (await isMadeElsewhere(db, ref, made.body))) return []
        const known = await db
          .select({ id: tools.id })
          .from(tools)
          .where(inArray(tools.id, uuidsIn(alike.map(({ id }) => id))))
        const unknown = alike.filter(({ id }) => !known.some((one) => one.id === id))
        // One of several is somebody else's, and nothing says which.
        return unknown.length === 1 ? unknown : []
      },
    },
    local: {
      async read(_db, ref) {
        const [row] = await db.select().from(tools).where(eq(tools.ref, ref))
        return row && { liveId: row.id, body: toolBody(row) }
      },
      // One that operators made on the platform stays as it is there: it can only be missing.
      async recorded(db, which) {
        const select = db.select({ key: toolRef, row: tools }).from(tools)
        const rows =
          'liveIds' in which
            ? await select.where(inArray(tools.id, uuidsIn(which.liveIds)))
            : await select.where(gt(toolRef, which.after)).orderBy(asc(toolRef)).limit(which.limit)
        return rows.map(({ key, row }) => ({
          ref: key,
          liveId: row.id,
          name: row.label,
          body: row.ref === null ? {} : toolBody(row),
        }))
      },
      async remove(tx, ref) {
        await tx.delete(tools).where(eq(tools.ref, ref))
      },
      adopt: toolAdopter({ clock }),
      rebind: rebindTool,
    },
  }
}

/** The id of a tool now: one that the platform lost and that was made again has another one. */
export async function toolIdNow(executor: Executor, id: string): Promise<string> {
  const former = await refOfFormer(executor, 'tool', id)
  if (former === undefined) return id
  const [row] = await executor.select({ id: tools.id }).from(tools).where(eq(tools.ref, former))
  return row?.id ?? id
}

/** Forgets what was made a day ago: no create of then can still arrive. */
export async function purgeToolCreations(db: Database): Promise<void> {
  await db.delete(toolCreations).where(lt(toolCreations.createdAt, sql`now() - interval '1 day'`))
}
