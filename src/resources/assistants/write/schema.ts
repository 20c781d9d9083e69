import { z } from 'zod'
import { boundedRecord } from '../../../api/bounded-record.ts'
import {
  anyUrl,
  asShown,
  clearable,
  e164,
  integerId,
  maxVariables,
  requiredText,
  text,
  uuidId,
  webUrl,
} from '../../../api/schemas.ts'
import { firstMessageModes, requestBounds } from '../../../voice-platform/mapping/limits.ts'
import { Message } from './message.ts'

/** An object of which only some keys are described: the others are kept as they are sent. */
export const openObject = z.record(z.string(), z.unknown()).meta({ additionalProperties: true })

export const assistantTypes = ['demo', 'production'] as const
export type AssistantType = (typeof assistantTypes)[number]

const sounds = [
  'office',
  'coffee-shop',
  'convention-hall',
  'summit',
  'traffic',
  'rain',
  'storm',
  'wind',
  'fire',
  'crackling-fire',
  'rain-on-roof',
  'coastal-storm',
  'howling-wind',
  'seagulls',
  'night-insects',
  'fan',
  'white-noise',
  'off',
] as const

const longText = text(1000)
const list = z.array(z.unknown()).max(100)
const phrases = z.array(text(1000)).max(100)
const toggle = z.boolean()
const count = z.int().min(0)

/** A number of any size within the bounds of its field. */
const number = (field: keyof typeof requestBounds) => {
  const [min, max] = requestBounds[field]
  return z.number().min(min).max(max)
}

const Transcriber = z.object({
  language: clearable(z.string().length(2)),
  confidenceThreshold: clearable(number('transcriber.confidenceThreshold')),
  formatTurns: clearable(toggle),
})

const Model = z.object({
  messages: clearable(z.array(Message).max(100)),
  maxTokens: clearable(z.int().min(requestBounds['model.maxTokens'][0])),
  functionCall: clearable(z.enum(['none', 'auto'])),
  functionCallBehavior: clearable(z.enum(['auto', 'required'])),
  tools: clearable(z.array(z.union([z.string(), openObject])).max(100)),
  toolIds: clearable(z.array(z.string()).max(100)),
})

const VoicemailDetection = z.object({
  enabled: clearable(toggle),
  beepDetection: clearable(toggle),
  silenceDuration: clearable(count),
  greetingDuration: clearable(count),
})

/** Of a speaking plan, what records have; its other keys are kept as they are sent. */
const speakingPlan = (name: 'startSpeakingPlan' | 'stopSpeakingPlan') =>
  z
    .looseObject({
      initialDelayMs: clearable(number(`${name}.initialDelayMs`)),
      backgroundSoundVolume: clearable(z.number()),
    })
    .meta({ additionalProperties: true })

const CompliancePlan = z.object({
  recordingEnabled: clearable(toggle),
  transcriptionEnabled: clearable(toggle),
  dataRetentionDays: clearable(z.int().min(1)),
})

const WeekHours = z.object({
  monday: clearable(text(255)),
  tuesday: clearable(text(255)),
  wednesday: clearable(text(255)),
  thursday: clearable(text(255)),
  friday: clearable(text(255)),
  saturday: clearable(text(255)),
  sunday: clearable(text(255)),
})

/** `metadata` of the write body, and the further keys that records carry. */
export const MetadataBody = z.object({
  company_name: clearable(text(255)),
  industry: clearable(text(255)),
  location: clearable(text(500)),
  services_products: clearable(text(1000)),
  country: clearable(text(255)),
  sms_phone_number: clearable(text(20)),
  assistant_phone_number: clearable(
    text(20).regex(e164, 'The metadata.assistant_phone_number field must be in E.164 format (e.g. +14155551234).'),
  ),
  webhook_url: clearable(webUrl(500)),
  available24_7: clearable(toggle),
  standard_hours: clearable(text(1000)),
  business_hours: clearable(WeekHours),
  always_say: clearable(z.array(text(1000)).max(100)),
  never_say: clearable(z.array(text(1000)).max(100)),
  pronunciation: clearable(z.array(z.object({ word: text(255), soundsLike: text(255) })).max(200)),
  spam_handling: clearable(text(1000)),
  sms_notifications: clearable(z.array(text(30)).max(100)),
  email_notifications: clearable(z.array(text(255).check(z.email())).max(100)),
})

/** `metadata` of an update, which may repeat a longer `webhook_url` (see `requireSettableUrl`). */
export const UpdateMetadata = MetadataBody.extend({
  webhook_url: clearable(webUrl(2048)).meta({
    description: 'At most 500 characters, unless it is the one that the assistant has.',
  }),
})

const [minSeconds, maxSeconds] = requestBounds.maxDurationSeconds

/** The fields that make an assistant's configuration, as the write body names them. */
const configShape = {
  firstMessage: clearable(longText),
  firstMessageMode: clearable(z.enum(firstMessageModes)),
  firstMessageInterruptionsEnabled: clearable(toggle),
  voicemailMessage: clearable(longText),
  endCallMessage: clearable(longText),
  endCallPhrases: clearable(phrases),
  voicemailDetection: clearable(VoicemailDetection),
  maxDurationSeconds: clearable(z.int().min(minSeconds).max(maxSeconds)),
  backgroundSound: clearable(
    z
      .enum([...sounds, 'none'])
      .transform((sound) => (sound === 'none' ? 'off' : sound))
      .meta({ description: '`none` is stored as `off`.' }),
  ),
  modelOutputInMessagesEnabled: clearable(toggle),
  clientMessages: clearable(z.array(text(100)).max(100)),
  serverMessages: clearable(z.array(text(100)).max(100)),
  transportConfigurations: clearable(list),
  transcriber: clearable(Transcriber),
  model: clearable(Model),
  voice: clearable(z.object({ voiceId: clearable(text(255)), speed: clearable(number('voice.speed')) })),
  compliancePlan: clearable(CompliancePlan),
  backgroundSpeechDenoisingPlan: clearable(
    z.object({ smartDenoising: clearable(toggle), fourierDenoising: clearable(toggle) }),
  ),
  startSpeakingPlan: clearable(speakingPlan('startSpeakingPlan')),
  stopSpeakingPlan: clearable(speakingPlan('stopSpeakingPlan')),
  monitorPlan: clearable(
    z.object({
      listenEnabled: clearable(toggle),
      controlEnabled: clearable(toggle),
      websocketUrl: clearable(anyUrl(2048)),
    }),
  ),
  keypadInputPlan: clearable(
    z.object({
      enabled: clearable(toggle),
      maxDigits: clearable(z.int().min(1).max(10)),
      terminateOnHash: clearable(toggle),
    }),
  ),
}

/** What only the advanced editor takes. */
const advancedShape = {
  analysisPlan: clearable(openObject),
  artifactPlan: clearable(
    z.object({
      recording: clearable(toggle),
      transcript: clearable(toggle),
      summary: clearable(toggle),
      analysis: clearable(toggle),
    }),
  ),
  backgroundDenoisingEnabled: clearable(toggle),
}

const VariableValues = boundedRecord(maxVariables, text(255), z.unknown()).meta({
  description: "Values for the template's custom variables. Texts, numbers, true and false replace placeholders.",
  examples: [{ city: 'Austin' }],
})

/** The write body of POST and PUT (contract: assistants 14). */
export const WriteBody = z.object({
  name: requiredText(40, {
    required: 'Assistant name is required.',
    max: 'Assistant name cannot exceed 40 characters.',
  }),
  type: clearable(z.enum(assistantTypes, 'Type must be either demo or production.')),
  user_id: clearable(integerId).meta({ description: 'The owner; honoured for admin roles only.' }),
  template_id: clearable(integerId).meta({ description: 'The prompt template that the assistant is built from.' }),
  ...configShape,
  metadata: clearable(MetadataBody),
  variableValues: clearable(VariableValues),
})

const notInternational = 'Phone number must be in international format (e.g., +1234567890).'

/** POST /assistants takes a phone number to buy and attach besides. */
export const CreateInput = WriteBody.extend({
  selected_phone_number: clearable(text(20, notInternational).regex(e164, notInternational)),
})

const path = { assistantId: uuidId }

/** PUT /assistants/{assistantId} (contract: assistants 9). */
export const UpdateInput = WriteBody.extend({ metadata: clearable(UpdateMetadata), ...path })

/** The personality of an assistant that is changed (contract: assistants 44). */
export const switchedPersonality = clearable(integerId).meta({
  description:
    'Switches the voice and `metadata.personality`. One that the record shows already changes nothing: a voice that was changed since stays.',
})

/** PUT /assistants/{assistantId}/advanced (contract: assistants 30). */
export const AdvancedInput = WriteBody.extend({
  metadata: clearable(UpdateMetadata),
  ...advancedShape,
  personality_id: switchedPersonality,
  reseller_id: clearable(asShown(integerId)).meta({ description: 'Honoured for admins only.' }),
  ...path,
})

/** Every configuration field, the advanced ones included. */
export const ConfigFields = z.object({ ...configShape, ...advancedShape })
export const configFieldNames = Object.keys(ConfigFields.shape) as (keyof z.output<typeof ConfigFields>)[]
