import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { findMade, foundOr, noteMade } from '../../api/idempotency/once.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { configurationOf } from '../assistants/configuration.ts'
import { assistantRecord, requireAssistant } from '../assistants/read/record.ts'
import { systemPromptIn } from '../assistants/rendering/prompt.ts'
import { liveBody } from '../assistants/rendering/render.ts'
import { bringsTheSame, loadSources, type References, type Sources } from '../assistants/rendering/sources.ts'
import { templateTextsOf } from '../assistants/rendering/spoken-texts.ts'
import { type AssistantChange, changeAssistant } from '../assistants/write/update.ts'
import type { KeptConfiguration } from '../history/configuration.ts'
import { type LeftOut, leaveOut } from './leave-out.ts'
import { restorableVersion } from './service.ts'

/** What an entry from before sources were kept tells of its template: the texts as they were rendered. */
function renderedAsTemplate({ live }: KeptConfiguration): Sources['template'] {
  const { firstMessage, endCallMessage, model } = live as AssistantChange['live']
  return {
    name: '',
    prompt: systemPromptIn(model.messages) ?? '',
    firstMessage: firstMessage || null,
    endCallMessage: endCallMessage || null,
    baseConfigId: null,
  }
}

/**
 * The references of a kept configuration: those that still lead to the texts that it was rendered from, and copies in
 * place of the entries that operators have deleted or rewritten since, so that later saves render the same.
 */
async function referencesOf(db: Executor, version: KeptConfiguration): Promise<References> {
  const { sources = { template: renderedAsTemplate(version) } } = version
  const brought = sources.template?.baseConfigId ?? sources.industry?.baseConfigId ?? null
  const named = {
    templateId: version.template_id,
    personalityId: version.personality_id,
    industryTemplateId: version.industry_template_id,
    layer2Key: version.layer2_key,
    baseConfigId: version.base_config_id ?? brought,
    build: version.build ?? null,
  }
  const now = await loadSources(db, { ...named, kept: null })
  // Of what a version has no copy of, only what is gone is known to be another.
  const stands = (part: Parameters<typeof bringsTheSame>[0]) => bringsTheSame(part, now, { ...now, ...version.sources })
  const copied = (part: Parameters<typeof bringsTheSame>[0], reference: unknown) =>
    reference !== null && !stands(part) && { [part]: sources[part] }
  const isBaseGone = named.baseConfigId !== null && !now.baseConfig
  const kept: Sources = {
    ...version.kept,
    ...copied('template', named.templateId),
    ...copied('personality', named.personalityId),
    ...copied('industry', named.industryTemplateId),
    ...copied('preset', named.layer2Key),
    ...(isBaseGone && { baseConfig: sources.baseConfig }),
  }
  return {
    templateId: stands('template') ? named.templateId : null,
    personalityId: stands('personality') ? named.personalityId : null,
    industryTemplateId: stands('industry') ? named.industryTemplateId : null,
    layer2Key: stands('preset') ? named.layer2Key : null,
    baseConfigId: isBaseGone ? null : version.base_config_id,
    kept: Object.keys(kept).length > 0 ? kept : null,
    build: named.build,
  }
}

/** The columns of a kept configuration, exactly as they were saved. */
async function columnsOf(db: Executor, version: KeptConfiguration) {
  const references = await referencesOf(db, version)
  const sources = version.sources ?? (await loadSources(db, references))
  return {
    ...references,
    name: version.name,
    type: version.type as NonNullable<AssistantChange['type']>,
    webhookUrl: version.webhook_url,
    metadata: version.metadata,
    config: version.config,
    live: version.live as AssistantChange['live'],
    widgetEmbedConfig: version.widget_embed_config && { ...version.widget_embed_config },
    templateTexts: templateTextsOf(sources),
    sources,
  } satisfies AssistantChange
}

/** What the history says of objects that were left out. */
const noteOf = (leftOut: readonly LeftOut[]): string | undefined =>
  leftOut.length === 0
    ? undefined
    : `Left out what the workspace has no more: ${leftOut.map(({ kind, id }) => `${kind} ${id}`).join(', ')}`

/**
 * Makes an earlier configuration the current one again, live platform first (contract: versions 8): both sides are then
 * as that version was saved, with the texts as they were rendered, whatever was deleted or rewritten since. Only tools
 * and other objects of the platform that are gone, or no longer the workspace's, are left out, and named in `left_out`.
 * Throws 404, 403, 422 with the reason, 502 when the history cannot be read, 500 when the live write fails.
 */
export async function restoreAssistant(ctx: AccountContext, input: { assistantId: string; entryId: number }) {
  const find = async () => {
    const leftOut = await findMade<LeftOut[]>(ctx)
    return leftOut && restoredOf(await requireAssistant(ctx, input.assistantId), leftOut)
  }
  return foundOr(find, () => restore(ctx, input))
}

const restoredOf = (row: Parameters<typeof assistantRecord>[0], leftOut: LeftOut[]) => ({
  data: assistantRecord(row),
  ...(leftOut.length > 0 && { left_out: leftOut }),
})

async function restore(ctx: AccountContext, input: { assistantId: string; entryId: number }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const version = await restorableVersion(ctx, row.id, input.entryId)
  let leftOut: LeftOut[] = []
  const options = {
    action: 'restored',
    source: 'restore',
    failed: 'assistant_update_failed',
    mode: 'exact',
    restoredFrom: version.id,
    also: (tx: Transaction) => noteMade(ctx, tx, leftOut),
  } as const
  const restored = await changeAssistant(ctx, input.assistantId, options, async (current) => {
    const { sources, ...columns } = await columnsOf(ctx.db, structuredClone(version.configuration))
    leftOut = await leaveOut(ctx.db, current.workspaceId, { ...columns, sources })
    const becomes = configurationOf({ ...current, ...columns })
    const isSame = Bun.deepEquals(configurationOf(current), becomes)
    if (isSame && leftOut.length === 0) throw new ApiError('version_current')
    const composed = liveBody(current.assistantId, { ...current, ...columns }, sources, ctx.settings)
    return { ...columns, sources, note: noteOf(leftOut), composed }
  })
  return restoredOf(restored, leftOut)
}
