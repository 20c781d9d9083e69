import { z } from 'zod'
import {
  clearable,
  dataOf,
  headerFields,
  headerValue,
  isoTime,
  pageOf,
  pageQuery,
  requiredError,
  savedOf,
  shownId,
  text,
  webUrl,
} from '../../api/schemas.ts'
import { Keep, reconciledOf } from '../reconcile/schema.ts'

const strictE164 = /^\+[1-9]\d{6,14}$/
const boughtE164 = /^\+[1-9]\d{1,14}$/

const e164Field = (message: string) =>
  z
    .string()
    .regex(strictE164, message)
    .meta({ examples: ['+14155550123'] })

/** Texts that the contract gives (contract: numbers 28). */
const texts = {
  number: 'The fallback number must be a valid phone number in E.164 format (e.g. +14155551234).',
  callerId: 'The caller ID must be a valid phone number in E.164 format (e.g. +14155551234).',
  numberRequired: 'A fallback phone number is required when the destination type is a number.',
  sipUriRequired: 'A SIP URI is required when the destination type is SIP.',
}

/** Empty, it is judged with `type`: where a number is required there is none. */
const fallbackNumber = z
  .string()
  .check(({ value, issues }) => {
    if (value !== '' && !strictE164.test(value)) issues.push({ code: 'custom', message: texts.number, input: value })
  })
  .meta({ pattern: strictE164.source, examples: ['+14155550123'] })

const fallbackShape = {
  type: clearable(z.enum(['number', 'sip'])),
  number: clearable(fallbackNumber).meta({ description: 'Required when `type` is `number`.' }),
  sipUri: clearable(text(255)).meta({ description: 'Required when `type` is `sip`.' }),
  message: clearable(text(1000)).meta({ description: 'Said before the transfer.' }),
  description: clearable(text(1000)).meta({ description: 'Internal note.' }),
  extension: clearable(text(255)),
  callerId: clearable(e164Field(texts.callerId)),
}

const blank = (value: unknown) => value === undefined || value === null || value === ''

/** What a fallback destination of its type cannot do without and does not have: the field, and what to say of it. */
export function missingFrom(destination: { type?: unknown; number?: unknown; sipUri?: unknown }) {
  const { type, number, sipUri } = destination
  if (type === 'number' && blank(number)) return { field: 'number', text: texts.numberRequired } as const
  if (type === 'sip' && blank(sipUri)) return { field: 'sipUri', text: texts.sipUriRequired } as const
  return undefined
}

/** Loose, so that `{}` (which clears) differs from an object of unknown fields (which changes nothing). */
const FallbackBody = z
  .looseObject(fallbackShape)
  .check(({ value, issues }) => {
    const missing = missingFrom(value)
    if (value.number === '' && missing?.field !== 'number') {
      issues.push({ code: 'custom', path: ['number'], message: texts.number, input: value.number })
    }
    if (missing) {
      const { field, text: message } = missing
      issues.push({ code: 'custom', path: [field], message, input: value[field] })
    }
  })
  .meta({
    description:
      'Where the call goes when the assistant is unavailable; merges field by field onto what is stored, null or {} clears it.',
  })

const serverShape = {
  url: clearable(webUrl(2048)),
  secret: clearable(headerValue(2048)).meta({ description: 'Sent with webhook requests.' }),
  timeoutSeconds: clearable(z.number().min(1).max(300)),
  credentialId: clearable(text(255)),
  headers: clearable(headerFields),
}

const ServerBody = z.looseObject(serverShape).meta({
  description: 'The webhook target for call events; merges field by field onto what is stored, null or {} clears it.',
})

export const fallbackFields = Object.keys(fallbackShape) as (keyof typeof fallbackShape)[]
export const serverFields = Object.keys(serverShape) as (keyof typeof serverShape)[]

const Fallback = z.object({
  type: z.enum(['number', 'sip']).optional(),
  number: z.string().optional(),
  sipUri: z.string().optional(),
  message: z.string().optional(),
  description: z.string().optional(),
  extension: z.string().optional(),
  callerId: z.string().optional(),
})
const shownFallback = Fallback.nullable().meta({
  examples: [{ type: 'number', number: '+14155550123', message: 'Please hold the line.' }],
})
export const StoredFallback = Fallback
export type StoredFallback = z.output<typeof Fallback>

const Server = z.object({
  url: z.string().optional(),
  secret: z.string().optional(),
  timeoutSeconds: z.number().optional(),
  credentialId: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  staticIpAddressesEnabled: z.boolean().optional(),
})
export const StoredServer = Server
export type StoredServer = z.output<typeof Server>

const target = (of: string) =>
  clearable(text(255)).meta({ description: `Inbound target: ${of}. Excludes the other two; null clears it.` })

/** The body of PUT (contract: numbers 6). */
const UpdateBody = z.object({
  name: clearable(text(255)),
  voice_assistant_id: target('an assistant, by its id on the live platform or its public id'),
  voice_squad_id: target('a published squad'),
  voice_workflow_id: target('a workflow of the live platform'),
  sms_enabled: clearable(z.boolean()).meta({ description: 'Switches the messaging webhook.' }),
  static_ip_enabled: clearable(z.boolean()).meta({
    description:
      "Sends webhook requests from the provider's static addresses; always mirrored as `server.staticIpAddressesEnabled`.",
  }),
  fallback_destination: clearable(FallbackBody),
  server: clearable(ServerBody),
  hooks: clearable(z.array(z.record(z.string(), z.unknown())).max(100)),
})

const nullableText = z.string().nullable()

const record = {
  id: z.int(),
  phone_number: z.string(),
  voice_phone_number_id: shownId.nullable().meta({ description: 'Null while it is not registered there.' }),
  assistant_id: z.int().nullable(),
  voice_assistant_id: nullableText.meta({
    description: 'Inbound target on the live platform; one of the three is set at most.',
    examples: ['3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'],
  }),
  voice_squad_id: nullableText.meta({ examples: [null] }),
  voice_workflow_id: nullableText.meta({ examples: [null] }),
  name: nullableText,
  provider: z.string().meta({ examples: ['twilio'] }),
  fallback_destination: shownFallback,
  server: Server.nullable(),
  hooks: z.array(z.unknown()),
  sms_enabled: z.boolean(),
  static_ip_enabled: z.boolean(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  last_synced_at: isoTime.nullable(),
  user_id: z.int(),
  created_by: z.int(),
  reseller_id: z.string(),
  workspace_id: shownId,
  created_at: isoTime,
  updated_at: isoTime,
  assistant: z.object({ id: z.int(), name: z.string(), voice_assistant_id: shownId }).nullable(),
  user: z.object({ id: z.int(), name: z.string(), email: z.string() }),
}

/** The phone number configuration record (contract: numbers 1). */
const PhoneNumber = z.object(record).meta({ id: 'PhoneNumber' })
export type PhoneNumberRecord = z.input<typeof PhoneNumber>

const RetrievedPhoneNumber = PhoneNumber.extend({
  sms_available: z.boolean().meta({ description: 'Whether this number can take messages at all.' }),
}).meta({ id: 'RetrievedPhoneNumber' })

const AvailableNumber = z
  .object({
    phone_number: z.string(),
    friendly_name: z.string(),
    locality: nullableText,
    region: nullableText,
    country: z.string(),
    capabilities: z.object({ voice: z.boolean(), sms: z.boolean() }),
  })
  .meta({ id: 'AvailableNumber' })

const path = {
  id: z
    .string()
    .regex(/^\+?\d{1,15}$/)
    .meta({
      description: "The number's digits, with or without a leading `+`, or the id of its configuration.",
      examples: ['14155550123'],
    }),
}

export const PhoneNumberPath = z.object(path)
export const ReconcileInput = z.object({ ...path, keep: Keep })
export const UpdateInput = UpdateBody.extend(path)
export const ListQuery = pageQuery.extend({
  search: text(255).nullable().optional().meta({ description: 'Part of the number or of its name.' }),
})
export const AvailableQuery = z.object({
  area_code: z
    .string()
    .regex(/^[2-9]\d{2}$/, 'The area_code field must be three digits, such as 415.')
    .nullable()
    .optional()
    .meta({ description: 'A US area code; without it, numbers of any.', examples: ['415'] }),
})
export const BuyInput = z.object({
  phone_number: z
    .string({ error: requiredError })
    .regex(boughtE164, 'Phone number must be in international format (e.g., +1234567890).')
    .meta({ maxLength: 20, examples: ['+14155550123'] }),
  name: clearable(text(255)),
})

export const PhoneNumberResponse = dataOf(RetrievedPhoneNumber)
export const PhoneNumberSaved = savedOf(PhoneNumber)
export const PhoneNumberReconciled = reconciledOf(PhoneNumber)
export const PhoneNumberPage = pageOf(RetrievedPhoneNumber)
export const AvailableResponse = dataOf(z.array(AvailableNumber))
