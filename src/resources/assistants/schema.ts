import { z } from 'zod'
import { responseSchema } from '../../api/response-schema.ts'
import { dataOf, isoTime, pageOf, pageQuery, savedOf, shownId, text, uuidId } from '../../api/schemas.ts'
import type { Json } from '../../json/object.ts'
import { firstMessageModes } from '../../voice-platform/mapping/limits.ts'
import { Keep, reconciledOf } from '../reconcile/schema.ts'
import { plans } from './plans.ts'
import { assistantTypes, type ConfigFields, MetadataBody, openObject } from './write/schema.ts'

export type { AssistantType } from './write/schema.ts'

/** What is stored of an assistant's configuration: the write body's fields, provider selections among them. */
export type AssistantConfig = Omit<Partial<z.output<typeof ConfigFields>>, 'model' | 'voice' | 'transcriber'> & {
  model?: Json & { messages?: ChatMessage[]; toolIds?: string[]; tools?: Json[] }
  voice?: Json
  transcriber?: Json
  observabilityPlan?: Json
  credentialIds?: unknown[]
  credentials?: unknown[]
  hooks?: unknown[]
}

export interface ChatMessage {
  role: string
  content: string
}

/** Metadata as stored; `webhook_url` has a column of its own. */
export type StoredMetadata = { [K in Exclude<keyof z.output<typeof MetadataBody>, 'webhook_url'>]?: unknown } & {
  variable_values?: Json
}

/** How the v2 builder made an assistant, besides the layers that its columns name. */
export interface Build {
  /** Texts of the requests themselves, with placeholders; null where none was given. */
  request: { system_prompt: string | null; first_message: string | null; end_call_message: string | null }
  /** Those of them that no request said: they are kept because of a change outside, until a template is named. */
  outside?: readonly (keyof Build['request'])[]
  /** The configuration as it was last merged: what differs from it was edited since. */
  config: AssistantConfig
  /**
   * Settings that were edited while a layer had a secret in them: they may have it still, whatever the layers are now.
   */
  secretEdits?: string[]
}

const nullableText = z.string().nullable()
const nullableObject = openObject.nullable()
const Message = z
  .object({ role: z.string(), content: z.string() })
  .meta({ examples: [{ role: 'system', content: 'You answer the phone.' }] })

/** `metadata` of the record. */
const Metadata = responseSchema(MetadataBody).extend({
  personality: nullableText,
  personality_id: z.int().nullable(),
  user_id: z.int(),
  user: nullableText.optional(),
  type: z.enum(assistantTypes),
  variable_values: openObject,
  created_at: isoTime,
  updated_at: isoTime,
})

const Transcriber = z.object({
  language: z
    .string()
    .optional()
    .meta({ description: 'Two letters.', examples: ['en'] }),
  confidenceThreshold: z.number().optional().meta({ description: 'From 0 to 1.' }),
  formatTurns: z.boolean().optional(),
})
const Voice = z.object({
  voiceId: z.string().optional(),
  speed: z.number().optional().meta({ description: 'From 0.25 to 4.' }),
})
const Model = z.object({
  messages: z.array(Message),
  maxTokens: z.int().optional(),
  toolIds: z.array(shownId),
  functionCall: z
    .string()
    .optional()
    .meta({ description: '`none` or `auto`.', examples: ['auto'] }),
  functionCallBehavior: z
    .string()
    .optional()
    .meta({ description: '`auto` or `required`.', examples: ['auto'] }),
})

/** The remote object's configuration without provider selections and bookkeeping (contract: assistants 2). */
export const CoreData = z
  .object({
    id: shownId,
    name: z.string(),
    firstMessage: z.string(),
    voicemailMessage: z.string(),
    endCallMessage: z.string(),
    endCallPhrases: z.array(z.string()),
    maxDurationSeconds: z.number().meta({ examples: [600] }),
    backgroundSound: z.string().meta({ examples: ['office'] }),
    voice: Voice,
    model: z.object({ messages: z.array(Message), maxTokens: z.int().optional(), toolIds: z.array(shownId) }),
    transcriber: Transcriber,
    server: z.object({ url: z.string() }).nullable(),
    metadata: openObject,
  })
  .meta({ id: 'CoreData' })

/** The assistant record (contract: assistants 1). */
export const Assistant = z
  .object({
    id: z.int().meta({ description: 'Local numeric id.' }),
    assistant_id: shownId.meta({ description: 'Public id, used in paths.' }),
    voice_assistant_id: shownId.meta({ description: 'Id on the live platform.' }),
    name: z.string(),
    user_id: z.int(),
    created_by: z.int(),
    reseller_id: z.string(),
    workspace_id: z.int(),
    template_id: z.int().nullable(),
    personality_id: z.int().nullable(),
    base_config_id: z.int().nullable().meta({ description: 'Set only for assistants built through v2.' }),
    type: z.enum(assistantTypes),
    phone_number: nullableText.meta({ description: 'E.164.' }),
    phone_number_id: shownId.nullable(),
    webhook_url: nullableText.meta({ format: 'uri', description: 'Where call events are delivered.' }),
    metadata: Metadata,
    widget_embed_config: nullableObject,
    transcriber: Transcriber,
    model: Model,
    voice: Voice,
    first_message: z.string().meta({ description: 'Rendered greeting.' }),
    first_message_raw: z.string().meta({ description: 'Greeting with placeholders.' }),
    first_message_interruptions_enabled: z.boolean(),
    first_message_mode: z.enum(firstMessageModes),
    voicemail_detection: plans.voicemail_detection,
    client_messages: z.array(z.string()).meta({ description: 'Types of messages for the browser widget.' }),
    server_messages: z.array(z.string()).meta({ description: 'Types of messages for the webhook.' }),
    max_duration_seconds: z.int().meta({ examples: [600] }),
    background_sound: z.string().meta({ description: 'A sound of the write body.', examples: ['office'] }),
    background_denoising_enabled: z.boolean(),
    model_output_in_messages_enabled: z.boolean(),
    transport_configurations: z.array(z.unknown()),
    observability_plan: nullableObject,
    credential_ids: z.array(z.unknown()),
    credentials: z.array(z.unknown()),
    hooks: z.array(z.unknown()),
    voicemail_message: z.string(),
    end_call_message: z.string().meta({ description: 'Rendered.' }),
    end_call_message_raw: z.string().meta({ description: 'With placeholders.' }),
    end_call_phrases: z.array(z.string()),
    compliance_plan: plans.compliance_plan.nullable(),
    background_speech_denoising_plan: plans.background_speech_denoising_plan.nullable(),
    analysis_plan: nullableObject,
    artifact_plan: plans.artifact_plan.nullable(),
    start_speaking_plan: plans.start_speaking_plan.nullable(),
    stop_speaking_plan: plans.stop_speaking_plan.nullable(),
    monitor_plan: plans.monitor_plan.nullable(),
    keypad_input_plan: plans.keypad_input_plan.nullable(),
    created_at: isoTime,
    updated_at: isoTime,
    coreData: CoreData,
  })
  .meta({ id: 'Assistant' })

export type AssistantRecord = z.input<typeof Assistant>

/** The fields of a row when `lite` is asked for (contract: assistants 6). */
const liteFields = {
  id: true,
  assistant_id: true,
  name: true,
  type: true,
  model: true,
  voice: true,
  transcriber: true,
  first_message: true,
  voicemail_message: true,
  end_call_message: true,
} as const

/** A row of the list: the whole record, or with `lite` only the fields that are always there. */
export const AssistantRow = Assistant.partial()
  .required(liteFields)
  .meta({ id: 'AssistantRow', description: 'The assistant record; with `lite` only its required fields.' })

export const sortFields = ['name', 'created_at', 'user_id'] as const

export const ListQuery = pageQuery.extend({
  search: text(255).nullable().optional().meta({ description: 'Part of the name, in any case.' }),
  // A `+` that was not escaped arrives as a space.
  phone_search: text(255).trim().nullable().optional().meta({ description: 'Part of the phone number.' }),
  sort_by: z
    .string()
    .nullable()
    .optional()
    .meta({ description: `One of ${sortFields.join(', ')}; any other value is taken as name.` }),
  sort_order: z.enum(['asc', 'desc']).default('asc'),
  lite: z.boolean().default(false).meta({ description: 'Rows with ten fields only.' }),
})

const path = { assistantId: uuidId }

export const AssistantPath = z.object(path)
export const ReconcileInput = z.object({ ...path, keep: Keep })
export const Reconciled = reconciledOf(Assistant)
export const AssistantResponse = dataOf(Assistant)
export const AssistantSaved = savedOf(Assistant)
export const AssistantPage = pageOf(AssistantRow)
