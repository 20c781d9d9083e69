import { and, eq, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { requireAgent } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { listedNotes, withoutNote } from './notes.ts'

/** What an agent remembers, oldest first. Throws 404 without view access. */
export async function listNotes(ctx: AccountContext, input: { agent_id: string }) {
  const { row } = await requireAgent(ctx, input.agent_id)
  return listedNotes(row.memory)
}

/** Makes an agent forget one note. Throws 404, and 403 for all but its owner. */
export async function deleteNote(ctx: AccountContext, input: { agent_id: string; note_id: string }) {
  const { row } = await requireAgent(ctx, input.agent_id, 'own')
  const left = withoutNote(row.memory, input.note_id)
  if (!left) throw new ApiError('note_not_found')
  const unchanged = sql`${agents.memory} is not distinct from ${row.memory}`
  const changed = await ctx.db
    .update(agents)
    .set({ memory: left.memory })
    .where(and(eq(agents.id, row.id), unchanged))
    .returning({ id: agents.id })
  if (changed.length === 0) return deleteNote(ctx, input)
  return input.note_id
}
