import { dataResponse } from '../../api/envelope.ts'
import { post } from '../../api/meta.ts'
import { operatorProcedure, router } from '../../api/trpc.ts'
import { BalanceResponse, CreateCreditInput } from './schema.ts'
import { createCredit } from './service.ts'

/** Prepaid balances, topped up by operators (contract: billing 3). */
export const creditsRouter = router({
  create: operatorProcedure
    .meta(
      post('/admin/workspaces/{id}/credits', 'Credit a payment to a workspace', {
        tag: 'Operator: workspaces',
        document: 'accounts',
        extension: true,
        status: 201,
        ids: { id: 'workspace_not_found' },
        errors: ['payment_conflict'],
      }),
    )
    .input(CreateCreditInput)
    .output(BalanceResponse)
    .mutation(({ ctx, input }) => dataResponse(createCredit(ctx, input))),
})
