import { eq } from 'drizzle-orm'
import type { Json } from '../../json/object.ts'
import type { Clock } from '../../runtime/clock.ts'
import { withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
import type { Adopt } from '../../voice-platform/mirror/agreement/survey.ts'
import { createTaking, inGroups } from '../../voice-platform/mirror/agreement/taking.ts'
import { ownOutside } from '../references/own.ts'
import { users } from '../users/table.ts'
import { tools } from './table.ts'
import { toolBody } from './tool-remote.ts'

/**
 * Takes what was changed outside into the definition of a tool, when recovery meets it; into that of somebody's own tool, without what
 * names an object that their workspace does not have.
 */
export const toolAdopter =
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
    const taking = createTaking<Json>(own, row.definition ?? {}, compose)
    for (const group of inGroups(own.changes)) {
      const open = group.filter(taking.isOpen)
      if (open.length > 0) taking.accept(withLeaves(taking.state, open))
    }
    await tx.update(tools).set({ definition: taking.state, updatedAt: clock.now() }).where(mine)
    return taking.composed()
  }
