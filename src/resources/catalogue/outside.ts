import { eq } from 'drizzle-orm'
import type { Json } from '../../json/object.ts'
import type { Clock } from '../../runtime/clock.ts'
import { withLeaves } from '../../voice-platform/mirror/agreement/leaves.ts'
import type { Adopt } from '../../voice-platform/mirror/agreement/survey.ts'
import { createTaking, inGroups } from '../../voice-platform/mirror/agreement/taking.ts'
import { tools } from './table.ts'
import { toolBody } from './tool-remote.ts'

/** Takes what was changed outside into the definition of a tool, when recovery meets it. */
export const toolAdopter =
  ({ clock }: { clock: Clock }): Adopt =>
  async (tx, ref, outside) => {
    const mine = eq(tools.ref, ref)
    const [row] = await tx.select().from(tools).where(mine).for('update')
    if (!row) throw new Error('The tool that was changed outside is gone')
    const compose = (definition: Json) => toolBody({ ...row, definition })
    const taking = createTaking<Json>(outside, row.definition ?? {}, compose)
    for (const group of inGroups(outside.changes)) {
      const open = group.filter(taking.isOpen)
      if (open.length > 0) taking.accept(withLeaves(taking.state, open))
    }
    await tx.update(tools).set({ definition: taking.state, updatedAt: clock.now() }).where(mine)
    return taking.composed()
  }
