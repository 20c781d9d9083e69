import { z } from 'zod'
import { deletedOf, listOf } from '../../api/agents-envelope.ts'
import { nameId, uuidId } from '../../api/schemas.ts'

/** Something that an agent remembers. */
export const Note = z
  .object({
    id: z.string(),
    date: z
      .string()
      .nullable()
      .meta({ description: 'The day on which it was noted.', examples: ['2026-03-01'] }),
    text: z.string(),
  })
  .meta({ id: 'MemoryNote' })

export const MemoryPath = z.object({ agent_id: uuidId })
export const NotePath = z.object({ agent_id: uuidId, note_id: nameId(64) })
export const NoteList = listOf(Note)
export const NoteDeleted = deletedOf('note', z.string())
