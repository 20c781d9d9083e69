import { and, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../db/client.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { refOfFormer } from '../../voice-platform/mirror/agreement/bases.ts'
import { liveDiffers } from '../../voice-platform/mirror/live-differs.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import { rebindObject } from '../references/follow.ts'
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

const pageSize = 1000

/** Gives a tool another one on the platform, and so another id: whatever names it follows. */
async function rebindTool(tx: Transaction, ref: string, liveId: string): Promise<void> {
  const mine = eq(tools.ref, ref)
  const [known] = await tx.select({ id: tools.id }).from(tools).where(mine)
  if (!known) throw new Error('The tool of a new remote object is gone')
  const save = () => tx.update(tools).set({ id: liveId }).where(mine)
  await rebindObject(tx, { from: known.id, to: liveId, save })
}

/** A tool of the catalogue and the one on the platform that it was made as. */
export function toolRemote({ tools: live }: PlatformClient, db: Database): RemoteKind<ToolBody> {
  return {
    kind: 'tool',
    agreement: { defaults: {} },
    live: {
      create: live.create,
      // The platform fixes a tool's type when it is made.
      update: (id, { type: _fixed, ...body }, options) => live.update(id, body, options),
      get: live.get,
      delete: live.delete,
      async find(ref, since, options) {
        const [made] = await db.select().from(toolCreations).where(eq(toolCreations.ref, ref))
        if (!made) return []
        const recent = await live.list({ limit: pageSize, createdAtGe: since.toISOString() }, options)
        const alike = recent.filter((one) => liveDiffers(made.body, one).length === 0)
        if (alike.length === 0) return []
        const ids = alike.map(({ id }) => id)
        const others = or(isNull(tools.ref), ne(tools.ref, ref))
        const known = await db
          .select({ id: tools.id })
          .from(tools)
          .where(and(inArray(tools.id, ids), others))
        return alike.filter(({ id }) => !known.some((one) => one.id === id))
      },
      differs: liveDiffers,
    },
    local: {
      async read(_db, ref) {
        const [row] = await db.select().from(tools).where(eq(tools.ref, ref))
        return row && { liveId: row.id, body: toolBody(row) }
      },
      has: async (_db, liveId) => (await db.$count(tools, eq(tools.id, liveId))) > 0,
      async remove(tx, ref) {
        await tx.delete(tools).where(eq(tools.ref, ref))
      },
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
