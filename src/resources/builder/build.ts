import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import type { Settings } from '../../voice-platform/mapping/live-assistant.ts'
import { secretEditsOf } from '../assistants/read/masked.ts'
import { layersOf } from '../assistants/rendering/layers.ts'
import { type Merged, mergeLayers } from '../assistants/rendering/merge-layers.ts'
import {
  keptWithout,
  loadSources,
  personalityOf,
  type References,
  type Sources,
} from '../assistants/rendering/sources.ts'
import type { AssistantConfig, Build } from '../assistants/schema.ts'
import { applyBody, type Draft, refuseTooLarge } from '../assistants/write/draft.ts'
import { keepEdits, withoutEdits } from '../assistants/write/keep-edits.ts'
import { withLayeredMessages } from '../assistants/write/layered-texts.ts'
import { saidOfVoice } from '../assistants/write/personality.ts'
import { withoutOutsideTexts, withRequest } from '../assistants/write/request-texts.ts'
import { attachTools } from '../tools/attach.ts'
import { chosenLayers, missingReferences } from './layers.ts'
import type { BuildBody } from './schema.ts'
import { spokenTexts } from './spoken-texts.ts'

/** An assistant as it is before, of its workspace. */
type Stored = Draft & { workspaceId: number }

/** An assistant as a body builds it. */
export interface Built {
  draft: Draft
  sources: Sources
  provenance: Merged['provenance']
}

const sentOrStored = <T>(sent: T | undefined, stored: T): T => (sent === undefined ? stored : sent)

const referencesOf = (stored: Draft, body: BuildBody): References => ({
  baseConfigId: sentOrStored(body.base_config_id, stored.baseConfigId),
  industryTemplateId: sentOrStored(body.industry_template_id, stored.industryTemplateId),
  layer2Key: sentOrStored(body.layer2_key, stored.layer2Key),
  personalityId: sentOrStored(body.personality_id, stored.personalityId),
  templateId: sentOrStored(body.prompt_template_id, stored.templateId),
  kept: keptWithout(
    stored,
    chosenLayers(stored, body).map(({ source }) => source),
  ),
  build: stored.build,
})

const emptyBuild: Build = {
  request: { system_prompt: null, first_message: null, end_call_message: null },
  config: {},
}

/** What the assistant is built of, with what the body says of texts. */
function askedFor({ build }: Draft, body: BuildBody): Build {
  const stored = build ?? emptyBuild
  const { firstMessage, endCallMessage } = spokenTexts(body)
  return withRequest(body.prompt_template_id == null ? stored : withoutOutsideTexts(stored), {
    system_prompt: body.system_prompt,
    first_message: firstMessage,
    end_call_message: endCallMessage,
  })
}

/** What the body says anew, so that an earlier edit of it does not stand in its way. */
async function saidAnew(ctx: AccountContext, stored: Draft, body: BuildBody, next: Sources): Promise<string[]> {
  const spoken = Object.entries(spokenTexts(body)).filter(([, text]) => text !== undefined)
  const paths = spoken.map(([field]) => field)
  if (body.personality_id === undefined || body.personality_id === stored.personalityId) return paths
  const personalities = [await personalityOf(ctx.db, stored), next.personality]
  return [...paths, ...saidOfVoice(personalities, [stored.build?.config.voice, stored.config.voice])]
}

/** A merged configuration as it is stored: tools by their ids, the attached locked ones among them. */
async function withTools(ctx: AccountContext, stored: Stored, merged: Merged): Promise<Merged> {
  const config: AssistantConfig = merged.config
  const before = stored.config.model ?? {}
  if (!config.model?.tools && !config.model?.toolIds && !before.toolIds?.length) return merged
  const { tools = [], toolIds = [], ...model } = config.model ?? {}
  const chosen = await attachTools(ctx, stored.workspaceId, before, { tools, toolIds })
  const from = merged.provenance['model.toolIds'] ?? merged.provenance['model.tools']
  const provenance: Merged['provenance'] = { ...merged.provenance, ...(from && { 'model.toolIds': from }) }
  if (!chosen?.tools) delete provenance['model.tools']
  return { config: { ...config, model: { ...model, ...chosen } }, provenance }
}

/**
 * Builds an assistant of a workspace: puts what a body says onto the stored one and applies the layers again. What
 * other editors changed since the last build stays, except for what the body says anew. Throws 422 for references that
 * do not exist, tools that cannot be attached, and where no layer has a base config.
 */
export async function build(ctx: AccountContext, stored: Stored, body: BuildBody): Promise<Built> {
  const named = referencesOf(stored, body)
  const sources = await loadSources(ctx.db, named)
  const missing = missingReferences(named, sources)
  if (Object.keys(missing).length > 0) throw validationError(missing)
  if (!sources.baseConfig) throw new ApiError('v2_no_base')

  const { secretEdits: _before, ...asked } = askedFor(stored, body)
  const merged = mergeLayers(layersOf(sources, asked.request))
  const { config: next, provenance } = await withTools(ctx, stored, merged)
  const last: Settings = stored.build?.config ?? {}
  const edited = withoutEdits(last, stored.config, await saidAnew(ctx, stored, body, sources))
  const own = applyBody(stored, {
    name: body.name ?? stored.name,
    type: body.type,
    template_id: body.prompt_template_id,
    metadata: body.metadata,
    variableValues: body.variable_values,
  })
  const config: AssistantConfig = withLayeredMessages(last, keepEdits(last, edited, next), next)
  const secretEdits = secretEditsOf(stored.build, config, next)
  const draft: Draft = {
    ...own,
    ...named,
    // The copy of one that was deleted has no entry to name.
    baseConfigId: sources.baseConfig === named.kept?.baseConfig ? null : sources.baseConfig.id,
    webhookUrl: sentOrStored(body.server_url, own.webhookUrl),
    build: { ...asked, config: next, ...(secretEdits.length > 0 && { secretEdits }) },
    config,
  }
  refuseTooLarge(draft)
  return { draft, sources, provenance }
}
