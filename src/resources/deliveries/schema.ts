import { z } from 'zod'
import { dataOf, integerId, isoTime, pageOf, pageQuery, savedOf, shownId, uuidId } from '../../api/schemas.ts'
import { deliveryStatuses } from '../../webhooks/table.ts'
import { openObject } from '../assistants/write/schema.ts'

/** A webhook that was or is to be sent. */
export const Delivery = z
  .object({
    id: shownId,
    type: z.string().meta({ examples: ['end-of-call-report'] }),
    call_id: shownId,
    url: z.string().meta({ description: 'Its query is not shown.', examples: ['https://example.com/hooks'] }),
    status: z.enum(deliveryStatuses).meta({
      description: '`pending`: to be sent, for the first time or again; `dead`: given up, until it is replayed.',
    }),
    attempts: z.int(),
    last_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the last response.', examples: [200] }),
    last_error: z.string().nullable(),
    next_attempt_at: isoTime.nullable(),
    delivered_at: isoTime.nullable(),
    created_at: isoTime,
  })
  .meta({ id: 'Delivery' })

export const DeliveryListInput = pageQuery.extend({
  assistantId: uuidId,
  status: z.enum(deliveryStatuses).optional(),
})
export const UnassignedListInput = pageQuery.extend({
  status: z.enum(deliveryStatuses).optional(),
  workspace_id: integerId.optional().meta({
    description: "All webhooks of this workspace's calls instead, also those of assistants that were deleted.",
    'x-extension': true,
  }),
  call_id: uuidId.optional().meta({
    description: 'The webhooks of this call alone, whichever assistant took it.',
    'x-extension': true,
  }),
})
export const DeliveryPath = z.object({ id: uuidId })
export const DeliveryPage = pageOf(Delivery)
export const DeliveryResponse = dataOf(
  Delivery.extend({
    payload: openObject.meta({ description: 'The body that is sent, secrets masked.' }),
    response: z.unknown().meta({
      description: 'What the receiver responded to `tool-calls` or `assistant-request`, secrets masked; else null.',
      examples: [{ results: [{ toolCallId: 'call_1', result: 'Rain, 8 degrees.' }] }],
    }),
  }).meta({ id: 'DeliveryWithPayload' }),
)
export const DeliverySaved = savedOf(Delivery)
