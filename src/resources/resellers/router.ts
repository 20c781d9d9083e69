import { dataResponse, listResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { pageQuery } from '../../api/schemas.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import { CreateResellerInput, ResellerPage, ResellerResponse } from './schema.ts'
import { createReseller, listResellers } from './service.ts'

const common = { tag: 'Operator: resellers', document: 'accounts', extension: true } as const

/** Resellers, kept by operators (contract: accounts 1). */
export const resellersRouter = router({
  list: operatorProcedure
    .meta(get('/admin/resellers', 'List resellers', common))
    .input(pageQuery)
    .output(ResellerPage)
    .query(({ ctx, input }) => listResponse(listResellers(ctx, input))),

  create: operatorProcedure
    .meta(post('/admin/resellers', 'Create a reseller', { ...common, status: 201 }))
    .input(CreateResellerInput)
    .output(ResellerResponse)
    .mutation(({ ctx, input }) => dataResponse(createReseller(ctx, input))),
})
