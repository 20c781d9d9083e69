import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { judgedBody, liveWrite } from '../../api/errors/live-write.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import { resolveDrift } from '../../voice-platform/drift/findings.ts'
import { PlatformError } from '../../voice-platform/errors.ts'
import { isNothing, type Leaf, valueAt, withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
import { holdTool, refuseAdopted } from '../tools/definition.ts'
import { readLive } from '../tools/moving.ts'
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

const liveOf = (ctx: AccountContext, id: string) => readLive(ctx, id, errors.failed)

async function refOf({ db }: AccountContext, id: string): Promise<string | null> {
  const [row] = await db.select({ ref: tools.ref }).from(tools).where(eq(tools.id, id))
  return row?.ref ?? null
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
      await refuseAdopted(ctx.db, body, async () => live, 'id')
      return ctx.db.transaction((tx) => commit(tx, {}))
    }
    await ctx.db.transaction((tx) => holdTool(tx, body))
    const ref = ctx.idempotencyId ?? crypto.randomUUID()
    const live = toolBody(body)
    await ctx.db.insert(toolCreations).values({ ref, body: live }).onConflictDoNothing()
    const write = ctx.mirror.create(toolRemote(ctx.platform, ctx.db), ref, {
      body: live,
      save: (tx, { id }) => commit(tx, { id, ref }),
    })
    return toolWrite(write)
  },

  async replace(ctx, id, body, commit) {
    const ref = await refOf(ctx, id)
    if (ref === null) {
      await refuseAdopted(ctx.db, { ...body, id }, async () => (await liveOf(ctx, id)) ?? {}, 'owner_id')
      return ctx.db.transaction((tx) => commit(tx, id))
    }
    const remote = toolRemote(ctx.platform, ctx.db)
    const live = toolBody(body)
    const isSaid = ({ path }: Leaf) => !isNothing(valueAt(live, path))
    const write = () =>
      ctx.mirror.update(remote, ref, {
        async load() {
          const [row] = await ctx.db.select({ id: tools.id, type: tools.type }).from(tools).where(eq(tools.ref, ref))
          if (!row) throw new ApiError('catalogue_entry_not_found')
          if (row.id === id) await requireMatch(ctx, { id })
          if (row.type !== body.type) throw validationError({ type: ['The type of a tool stays as it was made.'] })
          await ctx.db.transaction((tx) => holdTool(tx, { ...body, id: row.id }))
          return row
        },
        // An entry is sent as a whole: what it says is set, whatever it was.
        adopt: async (_row, { base, changes }) => ({ composed: withLeaves(base.composed, changes.filter(isSaid)) }),
        compose: async (row) => ({ liveId: row.id, body: live }),
        save: (tx, { liveId }) => commit(tx, liveId),
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
    const ref = await refOf(ctx, id)
    if (ref === null) {
      return ctx.db.transaction(async (tx) => {
        await check(tx)
        await resolveDrift(tx, { kind: 'tool', ref: id }, 'deleted')
        return commit(tx)
      })
    }
    const removal = ctx.mirror.remove(toolRemote(ctx.platform, ctx.db), ref, {
      check: () => ctx.db.transaction(check),
      save: commit,
    })
    return liveWrite(errors, removal)
  },
}
