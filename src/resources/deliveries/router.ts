import { dataResponse, listResponse, savedResponse } from '../../api/envelope.ts'
import { get, post } from '../../api/meta.ts'
import { router, workspaceProcedure } from '../../api/trpc.ts'
import {
  DeliveryListInput,
  DeliveryPage,
  DeliveryPath,
  DeliveryResponse,
  DeliverySaved,
  UnassignedListInput,
} from './schema.ts'
import { getDelivery, listDeliveries, listUnassigned, replayDelivery } from './service.ts'

const common = { tag: 'Webhook deliveries', document: 'voice', feature: 'assistants', extension: true } as const
const ids = { id: 'delivery_not_found' } as const

/** The webhooks of an assistant's calls: what became of each, and another try (contract: webhooks 8). */
export const deliveriesRouter = router({
  list: workspaceProcedure
    .meta(get('/assistants/{assistantId}/deliveries', "List the webhooks of an assistant's calls", common))
    .input(DeliveryListInput)
    .output(DeliveryPage)
    .query(({ ctx, input }) => listResponse(listDeliveries(ctx, input))),

  unassigned: workspaceProcedure
    .meta(get('/deliveries', 'List the webhooks that name no assistant, or all of a workspace or a call', common))
    .input(UnassignedListInput)
    .output(DeliveryPage)
    .query(({ ctx, input }) => listResponse(listUnassigned(ctx, input))),

  get: workspaceProcedure
    .meta(get('/deliveries/{id}', 'Get a webhook with its body', { ...common, ids }))
    .input(DeliveryPath)
    .output(DeliveryResponse)
    .query(({ ctx, input }) => dataResponse(getDelivery(ctx, input))),

  replay: workspaceProcedure
    .meta(
      post('/deliveries/{id}/replay', 'Send a webhook again', {
        message: 'Delivery queued again',
        ...common,
        ids,
      }),
    )
    .input(DeliveryPath)
    .output(DeliverySaved)
    .mutation(({ ctx, input }) => savedResponse(ctx, replayDelivery(ctx, input))),
})
