import { dataResponse } from '../../api/envelope.ts'
import { get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { StatsInput, StatsResponse } from './schema.ts'
import { getStatistics } from './service.ts'

/** Call statistics of an assistant (contract: calls 4). */
export const statsRouter = router({
  get: workspaceProcedure
    .meta(
      get('/assistants/{assistantId}/stats', "Get statistics of an assistant's calls", {
        tag: 'Calls',
        document: 'voice',
        feature: 'assistants',
        errors: ['stats_failed'],
      }),
    )
    .input(StatsInput)
    .output(StatsResponse)
    .query(({ ctx, input }) => dataResponse(getStatistics(ctx, input))),
})
