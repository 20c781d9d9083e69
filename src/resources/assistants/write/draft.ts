import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { validationError } from '../../../api/errors/api-error.ts'
import { isObject } from '../../../json/object.ts'
import type { LiveAssistantBody, Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { textsOf } from '../../../voice-platform/mapping/settings.ts'
import { refuseParts } from '../../references/parts.ts'
import { resolveReferences } from '../../references/resolve.ts'
import { attachTools, isAttached } from '../../tools/attach.ts'
import { keptWithout, type References } from '../rendering/sources.ts'
import type { AssistantConfig, AssistantType, Build, StoredMetadata } from '../schema.ts'
import { mergeFields, saidOf } from './merge.ts'
import { pickedTool } from './named.ts'
import { withoutVoiceId } from './provider-parts.ts'
import { withoutOutsideTexts } from './request-texts.ts'
import { configFieldNames, type WriteBody } from './schema.ts'

/** An assistant as it is about to be saved, before its texts are rendered. */
export interface Draft extends References {
  name: string
  type: AssistantType
  webhookUrl: string | null
  metadata: StoredMetadata
  config: AssistantConfig
}

export const emptyDraft: Draft = {
  name: '',
  type: 'demo',
  templateId: null,
  personalityId: null,
  baseConfigId: null,
  industryTemplateId: null,
  layer2Key: null,
  kept: null,
  build: null,
  webhookUrl: null,
  metadata: {},
  config: {},
}

const draftColumns = Object.keys(emptyDraft) as (keyof Draft)[]

/** The draft that a row was saved from. */
export const draftIn = (row: Draft): Draft =>
  Object.fromEntries(draftColumns.map((column) => [column, row[column]])) as unknown as Draft

type Body = z.output<typeof WriteBody>

/** Whether a body names another template than the record shows: null repeats that of a copy of one that was deleted. */
export const switchesTemplate = (
  { templateId }: Pick<Draft, 'templateId'>,
  named: number | null | undefined,
): boolean => named !== undefined && named !== templateId

const sentOrStored = <T>(sent: T | undefined, stored: T): T => (sent === undefined ? stored : sent)

function mergeMetadata(stored: StoredMetadata, body: Body): StoredMetadata {
  const { variable_values, ...kept } = stored
  const { webhook_url: _ownColumn, ...sent } = body.metadata ?? {}
  const variables = mergeFields({ variable_values }, { variable_values: body.variableValues }).variable_values
  const metadata: StoredMetadata = body.metadata === null ? {} : mergeFields(kept, sent)
  return variables && Object.keys(variables).length > 0 ? { ...metadata, variable_values: variables } : metadata
}

function mergeWebhook(stored: string | null, body: Body): string | null {
  if (body.metadata === null) return null
  return sentOrStored(body.metadata?.webhook_url, stored)
}

/**
 * Stored settings with sent ones put onto them. A voice whose id is taken away is chosen anew, from those of the layers
 * where v2 built it (contract: assistants 46).
 */
export function mergeConfig(stored: AssistantConfig, sent: Settings, build: Build | null): AssistantConfig {
  const merged = mergeFields(stored, sent)
  const isTaken = isObject(sent.voice) && sent.voice.voiceId === null
  return isTaken && merged.voice ? { ...merged, voice: withoutVoiceId(merged.voice, build?.config.voice) } : merged
}

/** The stored assistant with a write body's fields put onto it; `model.tools` are ids like `model.toolIds`. */
export function applyBody(stored: Draft, body: Body): Draft {
  const sent: Settings = {}
  const fields: Settings = body
  for (const field of configFieldNames) if (fields[field] !== undefined) sent[field] = fields[field]
  return {
    ...draftIn(stored),
    kept: switchesTemplate(stored, body.template_id) ? keptWithout(stored, ['template']) : stored.kept,
    build: stored.build && (body.template_id == null ? stored.build : withoutOutsideTexts(stored.build)),
    name: body.name,
    type: body.type === null ? emptyDraft.type : sentOrStored(body.type, stored.type),
    templateId: sentOrStored(body.template_id, stored.templateId),
    webhookUrl: mergeWebhook(stored.webhookUrl, body),
    metadata: mergeMetadata(stored.metadata, body),
    config: mergeConfig(stored.config, sent, stored.build),
  }
}

/**
 * The body in the platform's ids. Throws 422 on the path of what could not work, and of what the workspace does not
 * have.
 */
async function resolveBody(ctx: AccountContext, body: Body, workspaceId: number): Promise<Body> {
  const fields: Settings = body
  const sent = Object.fromEntries(configFieldNames.map((field) => [field, saidOf(fields[field])]))
  refuseParts(sent, isAttached)
  return { ...body, ...(await resolveReferences(ctx, workspaceId, sent, ({ path }) => !pickedTool.test(path))) }
}

/**
 * Characters of JSON that all settings and values of an assistant may have: what merges key by key would grow for ever.
 */
const maxStored = 400_000

type Sized = Pick<Draft, 'config' | 'metadata'>

/** How large all settings and values are together, and the field that has most of it. */
function sizesOf({ config, metadata }: Sized): { total: number; largest: string } {
  const { variable_values: variableValues, ...rest } = metadata
  const sizes = Object.entries({ ...config, metadata: rest, variableValues }).map(
    ([field, value]) => [field, JSON.stringify(value)?.length ?? 0] as const,
  )
  const [largest] = sizes.reduce((most, each) => (each[1] > most[1] ? each : most), ['metadata', 0] as const)
  return { total: sizes.reduce((sum, [, size]) => sum + size, 0), largest }
}

/** The field that has most of a draft that is too large to be kept, or undefined where it is not. */
export function tooLargeIn(draft: Sized): string | undefined {
  const { total, largest } = sizesOf(draft)
  return total > maxStored ? largest : undefined
}

/** Throws 422 on the largest field of a draft that is too large to be kept. */
export function refuseTooLarge(draft: Sized): void {
  const field = tooLargeIn(draft)
  if (field === undefined) return
  const text = `The ${field} field is too large: all settings together may have ${maxStored} characters.`
  throw validationError({ [field]: [text] })
}

/**
 * The stored assistant with a body put onto it. Every object on the platform that the body names is of the workspace
 * that has the assistant. Throws 422 on the path of one that is not, and for tools that cannot be attached.
 */
export async function draftOf(
  ctx: AccountContext,
  stored: Draft & { live?: LiveAssistantBody },
  sent: Body,
  workspaceId: number,
): Promise<Draft> {
  const body = await resolveBody(ctx, sent, workspaceId)
  const draft = applyBody(stored, body)
  refuseTooLarge(draft)
  const attached = textsOf(stored.live?.model?.toolIds).map((id) => id.toLowerCase())
  const chosen = await attachTools(ctx, workspaceId, stored.config.model ?? {}, body.model, attached)
  if (!chosen) return draft
  const isUpdated = stored.live !== undefined && !switchesTemplate(stored, body.template_id)
  const hadNone = attached.length === 0 && stored.config.model?.toolIds === undefined
  // Without tools to take away, nothing has to say that there are none.
  if (body.model === null && isUpdated && hadNone) return draft
  const { tools: _picked, ...model } = draft.config.model ?? {}
  return { ...draft, config: { ...draft.config, model: { ...model, ...chosen } } }
}
