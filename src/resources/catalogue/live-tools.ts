import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { judgedBody, liveWrite } from '../../api/errors/live-write.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import { isDatabaseFault } from '../../db/unreachable.ts'
import { resolveDrift } from '../../voice-platform/drift/findings.ts'
import { orGone, PlatformError } from '../../voice-platform/errors.ts'
import { isNothing, type Leaf, valueAt, withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
import { lockToolReferences, refuseNaming } from '../tools/definition.ts'
import type { LiveEntries } from './kind.ts'
import type { ToolBody } from './schema.ts'
import { toolCreations, tools } from './table.ts'
import { toolBody, toolRemote } from './tool-remote.ts'

type Body = z.output<typeof ToolBody>

const errors = { busy: 'tool_write_failed', failed: 'tool_write_failed' } as const

/** A failed live write: what the platform judged is the operator's 422 on the definition, everything else a 502. */
const toolWrite = <T>(write: Promise<T>): Promise<T> => {
  const refused = (error: PlatformError) =>
    judgedBody(error) ? validationError({ definition: [error.detail] }) : undefined
  return liveWrite({ ...errors, refused }, write)
}

/** A tool as it is on the platform, or undefined where it has none. Throws 502 when it cannot be asked. */
const liveOf = ({ platform, signal }: AccountContext, id: string): Promise<object | undefined> =>
  orGone(platform.tools.get(id, { signal })).catch((cause: unknown) => {
    if (isDatabaseFault(cause)) throw cause
    throw new ApiError(errors.failed, { cause })
  })

async function storedOf({ db }: AccountContext, id: string) {
  const [row] = await db
    .select({ ref: tools.ref, scope: tools.scope, ownerId: tools.ownerId })
    .from(tools)
    .where(eq(tools.id, id))
  return row
}

/**
 * Throws 422 on `owner_id` where a tool that was made on the platform itself becomes somebody's own and names what it
 * may not.
 */
async function refuseGiven(ctx: AccountContext, stored: Awaited<ReturnType<typeof storedOf>>, body: Body, id: string) {
  if (!stored || body.scope !== 'own' || stored.ownerId === body.owner_id) return
  refuseNaming(body.label, (await liveOf(ctx, id)) ?? {}, 'owner_id')
}

/**
 * Tools are on the platform before they are in the catalogue, so that attaching one works. One that is named by its id
 * is there already: it is looked for, and left alone from then on.
 */
export const liveTools: LiveEntries<string, Body> = {
  async create(ctx, body, commit) {
    if (body.id !== undefined) {
      const live = await liveOf(ctx, body.id)
      if (!live) throw notExisting('id')
      if (body.scope === 'own') refuseNaming(body.label, live, 'id')
      return ctx.db.transaction((tx) => commit(tx, {}))
    }
    await ctx.db.transaction((tx) => lockToolReferences(tx, body))
    const ref = ctx.idempotencyId ?? crypto.randomUUID()
    const live = toolBody(body)
    await ctx.db.insert(toolCreations).values({ ref, body: live }).onConflictDoNothing()
    const write = ctx.mirror.create(toolRemote(ctx), ref, {
      body: live,
      save: (tx, { id }) => commit(tx, { id, ref }),
    })
    return toolWrite(write)
  },

  async update(ctx, id, { read, commit }) {
    const stored = await storedOf(ctx, id)
    const ref = stored?.ref ?? null
    if (ref === null) {
      const body = await read()
      await refuseGiven(ctx, stored, body, id)
      return ctx.db.transaction((tx) => commit(tx, id, body))
    }
    const remote = toolRemote(ctx)
    const write = () =>
      ctx.mirror.update(remote, ref, {
        async load() {
          const body = await read()
          const [row] = await ctx.db.select({ id: tools.id, type: tools.type }).from(tools).where(eq(tools.ref, ref))
          if (!row) throw new ApiError('catalogue_entry_not_found')
          if (row.id === id) await requireMatch(ctx, { id })
          if (row.type !== body.type) throw validationError({ type: ['The type of a tool stays as it was made.'] })
          await ctx.db.transaction((tx) => lockToolReferences(tx, { ...body, id: row.id }))
          return { id: row.id, body, live: toolBody(body) }
        },
        // An entry is sent as a whole: what it says is set, whatever it was.
        async adopt({ live }, { base, changes }) {
          const isSaid = ({ path }: Leaf) => !isNothing(valueAt(live, path))
          return { composed: withLeaves(base.composed, changes.filter(isSaid)) }
        },
        compose: async ({ id: liveId, body, live }) => ({ liveId, body: live, entry: body }),
        save: (tx, { liveId, entry }) => commit(tx, liveId, entry),
      })
    // One that the platform lost is made again, as it was.
    const again = async (error: unknown) => {
      if (!(error instanceof PlatformError && error.kind === 'not_found')) throw error
      await ctx.mirror.restore(remote, ref, () => requireMatch(ctx, { id }))
      return write()
    }
    return toolWrite(write().catch(again))
  },

  async remove(ctx, id, { check, commit }) {
    const ref = (await storedOf(ctx, id))?.ref ?? null
    if (ref === null) {
      return ctx.db.transaction(async (tx) => {
        await check(tx)
        await resolveDrift(tx, { kind: 'tool', ref: id }, 'deleted')
        return commit(tx)
      })
    }
    const removal = ctx.mirror.remove(toolRemote(ctx), ref, {
      check: () => ctx.db.transaction(check),
      save: commit,
    })
    return liveWrite(errors, removal)
  },
}
