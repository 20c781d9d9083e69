import { z } from 'zod'
import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { DriftPage, DriftQuery, DriftScanResponse } from './schema.ts'
import { listDrift, requestScan, scanProgress } from './service.ts'

const common = { tag: 'Drift', document: 'voice', extension: true } as const

/** What was changed on the live platform outside this service (contract: drift 1). */
export const driftRouter = router({
  list: workspaceProcedure
    .meta(get('/drift', 'List what was changed on the live platform', common))
    .input(DriftQuery)
    .output(DriftPage)
    .query(({ ctx, input }) => listResponse(listDrift(ctx, input))),

  scan: workspaceProcedure
    .meta(post('/drift/scan', 'Look for drift now', common))
    .input(z.object({}))
    .output(DriftScanResponse)
    .mutation(({ ctx }) => dataResponse(requestScan(ctx))),

  progress: workspaceProcedure
    .meta(get('/drift/scan', 'Get how far the sweep is', common))
    .input(z.object({}))
    .output(DriftScanResponse)
    .query(({ ctx }) => dataResponse(scanProgress(ctx))),
})
