import { hasAdminRole } from '../../accounts/account.ts'
import { dataResponse, doneResponse, listResponse } from '../../api/envelope.ts'
import { del, get, post, put } from '../../api/meta.ts'
import { Done } from '../../api/schemas.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { reconciledResponse } from '../reconcile/response.ts'
import { getSquad, listSquads } from './find.ts'
import { reconcileSquad } from './outside/reconcile.ts'
import {
  DraftInput,
  ListQuery,
  PublishInput,
  ReconcileInput,
  SquadPage,
  SquadPath,
  SquadReconciled,
  SquadResponse,
} from './schema.ts'
import { deleteSquad, draftSquad, publishSquad } from './service.ts'

const common = { tag: 'Squads', document: 'voice', feature: 'squads' } as const
const ids = { id: 'squad_not_found' } as const
const honours = { user_id: hasAdminRole }
const matches = ['squads.get']

/** Squads of assistants; the first member answers (contract: squads 3). */
export const squadsRouter = router({
  list: workspaceProcedure
    .meta(get('/squads', 'List squads', { ...common, extension: true }))
    .input(ListQuery)
    .output(SquadPage)
    .query(({ ctx, input }) => listResponse(listSquads(ctx, input))),

  draft: workspaceProcedure
    .meta(
      post('/squads', 'Make a draft of a squad', {
        example: {
          request: { name: 'Front office', members: [{ assistantId: '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d' }] },
          response: {
            data: {
              external_squad_id: 'draft_front-office',
              status: 'draft',
              coreData: { id: 'draft_front-office' },
            },
          },
        },
        ...common,
        status: 201,
        honours,
        errors: ['squad_invalid'],
        extension: true,
      }),
    )
    .input(DraftInput)
    .output(SquadResponse)
    .mutation(({ ctx, input }) => dataResponse(draftSquad(ctx, input))),

  get: workspaceProcedure
    .meta(get('/squads/{id}', 'Get a squad', { ...common, ids, extension: true }))
    .input(SquadPath)
    .output(SquadResponse)
    .query(({ ctx, input }) => dataResponse(getSquad(ctx, input))),

  publish: workspaceProcedure
    .meta(
      put('/squads/{id}', 'Publish a squad', {
        example: {
          request: { name: 'Front office', members: [{ assistantId: '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d' }] },
        },
        ...common,
        ids,
        matches,
        honours,
        errors: ['squad_invalid', 'squad_publish_failed', 'squad_busy', 'squad_named'],
      }),
    )
    .input(PublishInput)
    .output(SquadResponse)
    .mutation(({ ctx, input }) => dataResponse(publishSquad(ctx, input))),

  reconcile: workspaceProcedure
    .meta(
      post('/squads/{id}/reconcile', 'Bring a squad and its live object together', {
        message: 'Squad reconciled successfully',
        ...common,
        ids,
        matches,
        errors: ['squad_invalid', 'squad_publish_failed', 'squad_delete_failed', 'squad_busy'],
        extension: true,
      }),
    )
    .input(ReconcileInput)
    .output(SquadReconciled)
    .mutation(({ ctx, input }) => reconciledResponse(ctx, 'deleted', reconcileSquad(ctx, input))),

  delete: workspaceProcedure
    .meta(
      del('/squads/{id}', 'Delete a squad', {
        message: 'Squad deleted successfully',
        ...common,
        ids,
        matches,
        errors: ['squad_delete_failed', 'squad_busy'],
        extension: true,
      }),
    )
    .input(SquadPath)
    .output(Done)
    .mutation(({ ctx, input }) => doneResponse(ctx, deleteSquad(ctx, input))),
})
