import { z } from 'zod'
import { Server } from '../schema/plans.ts'
import { byProvider, text } from '../schema/validation.ts'
import type { EmbeddedContext, ResourceDefinition } from './resource.ts'
import { badRequest } from './responses.ts'
import type { PlatformObject } from './store/store.ts'

const e164 = /^\+[1-9]\d{1,14}$/

const destination = {
  callerId: text(40).optional(),
  message: z.string().optional(),
  description: z.string().optional(),
}

const NumberDestination = z
  .strictObject({
    type: z.literal('number'),
    number: text(40, 3),
    numberE164CheckEnabled: z.boolean().optional(),
    extension: text(10, 1).optional(),
    ...destination,
  })
  .refine(({ number, numberE164CheckEnabled }) => numberE164CheckEnabled === false || e164.test(number), {
    path: ['number'],
    error: 'must be a valid phone number in E.164 format.',
  })

const SipDestination = z.strictObject({ type: z.literal('sip'), sipUri: z.string(), ...destination })

/** Where a call is forwarded to. */
export const Destination = z.discriminatedUnion('type', [NumberDestination, SipDestination])

const Action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('say'), exact: text(4000) }),
  z.strictObject({ type: z.literal('transfer'), destination: Destination.optional() }),
])

const Hook = z.discriminatedUnion('on', [
  z.strictObject({
    on: z.literal('call.ringing'),
    filters: z
      .array(
        z.strictObject({
          type: z.literal('startsWith'),
          key: z.literal('number'),
          startsWith: z.array(text(20)).max(20),
        }),
      )
      .optional(),
    do: z.array(Action),
  }),
  z.strictObject({
    on: z.literal('call.ending'),
    filters: z
      .array(
        z.strictObject({ type: z.literal('oneOf'), key: z.literal('call.endedReason'), oneOf: z.array(z.string()) }),
      )
      .optional(),
    do: Action.optional(),
  }),
])

const common = {
  name: text(40).optional(),
  assistantId: z.string().optional(),
  squadId: z.string().optional(),
  workflowId: z.string().optional(),
  fallbackDestination: Destination.optional(),
  server: Server.optional(),
  hooks: z.array(Hook).optional(),
}

/** The fields that null clears on PATCH. */
const clearing = {
  assistantId: common.assistantId.nullable(),
  squadId: common.squadId.nullable(),
  workflowId: common.workflowId.nullable(),
  fallbackDestination: common.fallbackDestination.nullable(),
  server: common.server.nullable(),
}

const Twilio = z.strictObject({
  provider: z.literal('twilio'),
  number: z.string().refine((number) => e164.test(number), 'must be a valid phone number in E.164 format.'),
  twilioAccountSid: z.string(),
  twilioAuthToken: z.string().optional(),
  smsEnabled: z.boolean().optional(),
  ...common,
})

const Byo = z.strictObject({
  provider: z.literal('byo-phone-number'),
  credentialId: z.string(),
  number: text(40, 3).optional(),
  numberE164CheckEnabled: z.boolean().optional(),
  ...common,
})

async function check(merged: Record<string, unknown>, { store }: EmbeddedContext, stored: PlatformObject | null) {
  if (stored && stored.body.provider !== merged.provider) throw badRequest('provider cannot be changed.')
  for (const [field, kind] of [
    ['assistantId', 'assistant'],
    ['squadId', 'squad'],
  ] as const) {
    const id = merged[field]
    if (typeof id !== 'string') continue
    if (!z.guid().safeParse(id).success || !(await store.find(kind, id))) {
      throw badRequest(`${field} must be the id of an existing ${kind}.`)
    }
  }
  const { number } = merged
  if (typeof number === 'string' && (await store.isTaken('phone-number', 'number', number, stored?.id))) {
    throw badRequest('number is already registered.')
  }
}

/** Phone numbers that a carrier sold (`twilio`) or that come over an own trunk; `smsEnabled` is Twilio's alone. */
export const phoneNumbers: ResourceDefinition = {
  kind: 'phone-number',
  create: byProvider([Twilio, Byo]),
  update: byProvider([
    Twilio.partial().extend({ provider: Twilio.shape.provider, ...clearing }),
    Byo.partial().extend({ provider: Byo.shape.provider, ...clearing }),
  ]),
  check,
  // A simulated platform has no use for the carrier's secret.
  keep: ({ twilioAuthToken: _secret, ...body }) => ({ ...body, status: 'active' }),
}
