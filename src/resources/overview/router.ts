import { z } from 'zod'
import { dataResponse } from '../../api/envelope.ts'
import { get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { OverviewResponse } from './schema.ts'
import { getOverview } from './service.ts'

/** How the caller's workspace and the installation are doing (contract: profile 13). */
export const overviewRouter = router({
  get: workspaceProcedure
    .meta(
      get('/overview', 'Get how your workspace is doing', { tag: 'Profile', document: 'accounts', extension: true }),
    )
    .input(z.object({}))
    .output(OverviewResponse)
    .query(({ ctx }) => dataResponse(getOverview(ctx))),
})
