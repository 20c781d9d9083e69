import { eq, getTableColumns } from 'drizzle-orm'
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder'
import { authorise } from '../../../api/auth/gate.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import type { Database, Executor } from '../../../db/client.ts'
import type { Json } from '../../../json/object.ts'
import { defaultFirstMessageMode } from '../../../voice-platform/mapping/defaults.ts'
import { personalities, promptTemplates } from '../../catalogue/table.ts'
import { isMember } from '../../users/shown.ts'
import { users } from '../../users/table.ts'
import { isSystem } from '../rendering/prompt.ts'
import { spokenTextsOf } from '../rendering/spoken-texts.ts'
import { Assistant, type AssistantRecord, type ChatMessage } from '../schema.ts'
import { assistants } from '../table.ts'
import { type AssistantRowData, findAssistant, namesOfOthers, type StampedRow } from './find.ts'
import { fittingTo } from './fitting.ts'
import { maskedSettings } from './masked.ts'

/** An assistant whose number was changed after it was saved. Throws 404 when it is gone. */
export async function requireSaved(db: Database, id: string): Promise<AssistantRowData> {
  const row = await findAssistant(db, { kind: 'all', id: 0 }, id)
  if (!row) throw new ApiError('assistant_not_found')
  return row
}

/**
 * One assistant of the caller's accounts. Throws 404 'Assistant not found', and 403 for a viewer's write (contract:
 * assistants 11).
 */
export async function requireAssistant(ctx: AccountContext, id: string): Promise<StampedRow> {
  const row = await findAssistant(ctx.db, ctx.scope, id)
  if (!row) throw new ApiError('assistant_not_found')
  authorise(ctx)
  return row
}

/** An insert or update that returns whole rows. */
type Saving = TypedQueryBuilder<typeof assistants._.columns, (typeof assistants.$inferSelect)[]>

/**
 * A statement that saves assistants and gives each as `findAssistant` reads it, so that what was just written is not
 * read again.
 */
export function savedRecords(executor: Executor, saving: Saving) {
  const saved = executor.$with('saved').as(saving)
  const names = Object.keys(getTableColumns(assistants)) as (keyof typeof assistants._.columns)[]
  const columns = Object.fromEntries(names.map((name) => [name, saved[name]])) as Pick<
    typeof saved,
    (typeof names)[number]
  >
  return executor
    .with(saved)
    .select({ ...columns, ...namesOfOthers })
    .from(saved)
    .leftJoin(personalities, eq(personalities.id, saved.personalityId))
    .leftJoin(users, isMember(saved.userId, saved.workspaceId))
    .leftJoin(promptTemplates, eq(promptTemplates.id, saved.templateId))
}

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
const number = (value: unknown): number => (Number.isFinite(Number(value ?? 0)) ? Number(value ?? 0) : 0)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const messagesIn = (value: unknown): ChatMessage[] =>
  list(value).map((item) => ({ role: string(object(item).role), content: string(object(item).content) }))

/** The messages of the record: the rendered prompt where a template gives one, others as they were sent. */
function recordMessages(row: AssistantRowData): ChatMessage[] {
  const sent: ChatMessage[] = row.config.model?.messages ?? []
  if (row.templateId === null && row.build === null && !row.kept?.template) return sent
  const [first, ...spoken] = messagesIn(object(row.live.model).messages)
  const own = sent.find(isSystem)
  const others = sent.filter((message) => !isSystem(message))
  if (first === undefined || !isSystem(first)) return others
  return [first, ...(spoken.some(isSystem) ? sent.filter((message) => message !== own) : others)]
}

/**
 * The texts with their placeholders: where the assistant has none of its own, those of the template as it was when they
 * were last rendered (contract: assistants 9).
 */
const rawTexts = (row: AssistantRowData) =>
  spokenTextsOf(
    row,
    row.templateTexts ?? {
      firstMessage: row.templateFirstMessage ?? row.kept?.template?.firstMessage,
      endCallMessage: row.templateEndCallMessage ?? row.kept?.template?.endCallMessage,
    },
  )

const { shape } = Assistant
/** Parts of the live object, as far as they are what a record shows: somebody else may have written them. */
export const fittingParts = {
  transcriber: fittingTo(shape.transcriber.shape),
  model: fittingTo(shape.model.shape),
  voice: fittingTo(shape.voice.shape),
}
/** The metadata that a record can show. */
export const fittingMetadata = fittingTo(shape.metadata.shape)

/** `coreData`: the remote object's configuration, without provider selections (the output schema drops those keys). */
function coreDataOf(row: AssistantRowData): AssistantRecord['coreData'] {
  const { live } = row
  const model = object(live.model)
  const server = object(live.server)
  const { external_ref: _bookkeeping, ...metadata } = object(live.metadata)
  return {
    id: row.voiceAssistantId,
    name: string(live.name),
    firstMessage: string(live.firstMessage),
    voicemailMessage: string(live.voicemailMessage),
    endCallMessage: string(live.endCallMessage),
    endCallPhrases: strings(live.endCallPhrases),
    maxDurationSeconds: number(live.maxDurationSeconds),
    backgroundSound: string(live.backgroundSound),
    voice: fittingParts.voice(object(live.voice)),
    model: {
      messages: messagesIn(model.messages),
      ...(Number.isSafeInteger(model.maxTokens) && { maxTokens: Number(model.maxTokens) }),
      toolIds: strings(model.toolIds),
    },
    transcriber: fittingParts.transcriber(object(live.transcriber)),
    server: typeof server.url === 'string' ? { url: server.url } : null,
    metadata,
  }
}

function metadataOf(row: AssistantRowData): AssistantRecord['metadata'] {
  return {
    ...fittingMetadata(row.metadata),
    variable_values: row.metadata.variable_values ?? {},
    webhook_url: row.webhookUrl,
    personality: row.personalityName ?? null,
    personality_id: row.personalityId,
    user_id: row.userId,
    user: row.userName ?? '',
    type: row.type,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  } as AssistantRecord['metadata']
}

/** The fields of a row that a `lite` list shows. */
export function liteRecord(row: AssistantRowData) {
  const { config, live } = row
  const model = fittingParts.model(object(live.model))
  return {
    id: row.id,
    assistant_id: row.assistantId,
    name: row.name,
    type: row.type,
    model: { ...model, ...config.model, messages: recordMessages(row), toolIds: strings(model.toolIds) },
    voice: { ...fittingParts.voice(object(live.voice)), ...config.voice },
    transcriber: { ...fittingParts.transcriber(object(live.transcriber)), ...config.transcriber },
    first_message: string(live.firstMessage),
    voicemail_message: config.voicemailMessage ?? '',
    end_call_message: string(live.endCallMessage),
  }
}

/**
 * The assistant record of a row (contract: assistants 1), with the secrets that only its layers know masked. Unknown
 * keys are dropped by its output schema.
 */
export const assistantRecord = (row: AssistantRowData): AssistantRecord =>
  plainRecord({ ...row, config: { ...row.config, ...maskedSettings(row) } })

/** The same with every secret, for comparison with what is stored. */
export function plainRecord(row: AssistantRowData): AssistantRecord {
  const { config, live } = row
  const raw = rawTexts(row)
  return {
    ...liteRecord(row),
    voice_assistant_id: row.voiceAssistantId,
    user_id: row.userId,
    created_by: row.createdBy,
    reseller_id: String(row.resellerId),
    workspace_id: row.workspaceId,
    template_id: row.templateId,
    personality_id: row.personalityId,
    base_config_id: row.baseConfigId,
    phone_number: row.phoneNumber,
    phone_number_id: row.phoneNumberId,
    webhook_url: row.webhookUrl,
    metadata: metadataOf(row),
    widget_embed_config: row.widgetEmbedConfig,
    first_message_raw: raw.firstMessage ?? string(live.firstMessage),
    first_message_interruptions_enabled: config.firstMessageInterruptionsEnabled ?? false,
    first_message_mode: config.firstMessageMode ?? defaultFirstMessageMode,
    voicemail_detection: config.voicemailDetection ?? {},
    client_messages: config.clientMessages ?? strings(live.clientMessages),
    server_messages: config.serverMessages ?? strings(live.serverMessages),
    max_duration_seconds: config.maxDurationSeconds ?? number(live.maxDurationSeconds),
    background_sound: config.backgroundSound ?? 'off',
    background_denoising_enabled: config.backgroundDenoisingEnabled ?? false,
    model_output_in_messages_enabled: config.modelOutputInMessagesEnabled ?? false,
    transport_configurations: config.transportConfigurations ?? [],
    observability_plan: config.observabilityPlan ?? null,
    credential_ids: config.credentialIds ?? [],
    credentials: config.credentials ?? [],
    hooks: config.hooks ?? [],
    end_call_message_raw: raw.endCallMessage ?? string(live.endCallMessage),
    end_call_phrases: config.endCallPhrases ?? [],
    compliance_plan: config.compliancePlan ?? null,
    background_speech_denoising_plan: config.backgroundSpeechDenoisingPlan ?? null,
    analysis_plan: config.analysisPlan ?? null,
    artifact_plan: config.artifactPlan ?? null,
    start_speaking_plan: config.startSpeakingPlan ?? null,
    stop_speaking_plan: config.stopSpeakingPlan ?? null,
    monitor_plan: config.monitorPlan ?? null,
    keypad_input_plan: config.keypadInputPlan ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    coreData: coreDataOf(row),
  }
}
