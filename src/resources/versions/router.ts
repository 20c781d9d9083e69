import { dataResponse, listResponse, messageOf } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { compareVersions } from './compare.ts'
import { restoreAssistant } from './restore.ts'
import {
  CompareInput,
  CompareResponse,
  RestoredResponse,
  VersionInput,
  VersionListInput,
  VersionPage,
  VersionResponse,
} from './schema.ts'
import { getVersion, listVersions } from './service.ts'

const common = { tag: 'Assistant history', document: 'voice', feature: 'assistants' } as const

/** An assistant's configuration history (contract: versions 1). */
export const versionsRouter = router({
  list: workspaceProcedure
    .meta(get('/assistants/{assistantId}/update-log', "List an assistant's history", { ...common, extension: true }))
    .input(VersionListInput)
    .output(VersionPage)
    .query(({ ctx, input }) => listResponse(listVersions(ctx, input))),

  get: workspaceProcedure
    .meta(
      get('/assistants/{assistantId}/update-log/{entryId}', 'Get an entry of the history with its configuration', {
        ...common,
        extension: true,
      }),
    )
    .input(VersionInput)
    .output(VersionResponse)
    .query(({ ctx, input }) => dataResponse(getVersion(ctx, input))),

  compare: workspaceProcedure
    .meta(
      get('/assistants/{assistantId}/update-log/{entryId}/compare/{otherId}', 'Compare two entries of the history', {
        ...common,
        ids: { otherId: 'version_not_found' },
        errors: ['version_not_restorable'],
        extension: true,
      }),
    )
    .input(CompareInput)
    .output(CompareResponse)
    .query(({ ctx, input }) => dataResponse(compareVersions(ctx, input))),

  restore: workspaceProcedure
    .meta(
      post('/assistants/{assistantId}/update-log/{entryId}/restore', 'Restore an earlier configuration', {
        message: 'Assistant restored successfully',
        ...common,
        ids: { entryId: 'version_unknown' },
        matches: ['assistants.get', 'assistants.getAdvanced', 'assistantBuilder.get'],
        errors: [
          'version_unknown',
          'version_current',
          'version_not_restorable',
          'history_unavailable',
          'assistant_update_failed',
          'assistant_busy',
        ],
      }),
    )
    .input(VersionInput)
    .output(RestoredResponse)
    .mutation(async ({ ctx, input }) => ({
      success: true as const,
      message: messageOf(ctx),
      ...(await restoreAssistant(ctx, input)),
    })),
})
