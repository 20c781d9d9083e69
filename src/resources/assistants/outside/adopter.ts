import { eq } from 'drizzle-orm'
import type { Adopt } from '../../../voice-platform/mirror/agreement/survey.ts'
import { recordOutside, type VersionContext } from '../../history/record.ts'
import { lockMovable } from '../../references/moving.ts'
import { followName, lockSquadsOf } from '../../squads/renamed-members.ts'
import { configurationOf } from '../configuration.ts'
import { assistants } from '../table.ts'
import { namedBy } from '../write/named.ts'
import { adoptOutside } from './adopt.ts'

export type AdopterContext = Pick<VersionContext, 'clock' | 'settings'>

/** Takes what was changed outside into an assistant, with a version of its own, when recovery meets it. */
export const assistantAdopter =
  ({ clock, settings }: AdopterContext): Adopt =>
  async (tx, ref, outside, { sent, recorded }) => {
    const mine = eq(assistants.assistantId, ref)
    const [known] = await tx.select({ id: assistants.id }).from(assistants).where(mine)
    const isRenamed = outside.changes.some(({ path }) => path[0] === 'name')
    const naming = known && isRenamed ? await lockSquadsOf(tx, known.id) : []
    const [row] = await tx.select().from(assistants).where(mine).for('update')
    if (!row) throw new Error('The assistant that was changed outside is gone')
    if (!Bun.deepEquals(row.live, recorded)) throw new Error('What the assistant names was changed meanwhile')
    const { columns, composed, sources, note } = await adoptOutside({ db: tx, settings }, row, outside)
    const live = { ...columns.live, ...sent }
    const at = clock.now()
    await tx
      .update(assistants)
      .set({ ...columns, live, updatedAt: at })
      .where(mine)
    const renamed = { assistantId: row.id, from: row.name, to: columns.name, at }
    const told = columns.name === row.name ? 0 : await followName(tx, naming, renamed)
    if (told === undefined) throw new Error('The squads of the assistant changed meanwhile')
    await lockMovable(tx, row.workspaceId, namedBy(columns, sources).movable, row.config)
    const after = configurationOf({ ...row, ...columns })
    const entry = {
      assistantId: row.id,
      workspaceId: row.workspaceId,
      before: configurationOf(row),
      after,
      sources,
      note,
    }
    await recordOutside(tx, { clock, settings }, entry)
    return composed
  }
