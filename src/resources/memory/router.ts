import { collectionResponse, deletedResponse } from '../../api/agents-envelope.ts'
import { del, get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { MemoryPath, NoteDeleted, NoteList, NotePath } from './schema.ts'
import { deleteNote, listNotes } from './service.ts'

const common = { tag: 'Agents', document: 'agents', feature: 'ai_chat', extension: true } as const

/** What agents remember, note by note. */
export const memoryRouter = router({
  list: workspaceProcedure
    .meta(get('/agents/{agent_id}/memory', 'List what an agent remembers', common))
    .input(MemoryPath)
    .output(NoteList)
    .query(({ ctx, input }) => collectionResponse(listNotes(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/agents/{agent_id}/memory/{note_id}', 'Make an agent forget a note', {
        ...common,
        ids: { note_id: 'note_not_found' },
        errors: ['agent_owner_only'],
      }),
    )
    .input(NotePath)
    .output(NoteDeleted)
    .mutation(({ ctx, input }) => deletedResponse('note', deleteNote(ctx, input))),
})
