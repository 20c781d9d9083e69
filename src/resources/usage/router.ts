import { z } from 'zod'
import { pageResponse } from '../../api/agents-envelope.ts'
import { get } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import { LedgerPage, LedgerQuery, Spend, SpendQuery, UsageResponse } from './schema.ts'
import { getUsage, listLedger } from './service.ts'
import { getSpend } from './spend.ts'

const common = { tag: 'Usage', document: 'agents', feature: 'ai_chat' } as const

/** Prepaid balance, counts and ledger (contract: billing 2). */
export const usageRouter = router({
  get: workspaceProcedure
    .meta(get('/usage', 'Get balance and usage', common))
    .input(z.object({}))
    .output(UsageResponse)
    .query(({ ctx }) => getUsage(ctx)),

  ledger: workspaceProcedure
    .meta(get('/usage/ledger', 'List credits and charges', { ...common, extension: true }))
    .input(LedgerQuery)
    .output(LedgerPage)
    .query(({ ctx, input }) => pageResponse(listLedger(ctx, input))),

  spend: workspaceProcedure
    .meta(get('/usage/spend', 'Sum the charges by day, model and agent', { ...common, extension: true }))
    .input(SpendQuery)
    .output(Spend)
    .query(({ ctx, input }) => getSpend(ctx, input)),
})
