import { eq } from 'drizzle-orm'
import type { Executor } from '../../../db/client.ts'
import { baseConfigs, industryTemplates, layer2Presets, personalities, promptTemplates } from '../../catalogue/table.ts'
import type { AssistantConfig, Build } from '../schema.ts'
import { promptOf } from './prompt.ts'

const templateColumns = {
  name: promptTemplates.name,
  prompt: promptTemplates.prompt,
  firstMessage: promptTemplates.firstMessage,
  endCallMessage: promptTemplates.endCallMessage,
  baseConfigId: promptTemplates.baseConfigId,
}
const baseConfigColumns = { id: baseConfigs.id, name: baseConfigs.name, config: baseConfigs.config }
const personalityColumns = { name: personalities.name, prompt: personalities.prompt, voice: personalities.voice }
const industryColumns = {
  name: industryTemplates.name,
  prompt: industryTemplates.prompt,
  baseConfigId: industryTemplates.baseConfigId,
  customFields: industryTemplates.customFields,
}
const presetColumns = { name: layer2Presets.name, overrides: layer2Presets.overrides }

type Selected<Table extends { $inferSelect: object }, Columns> = Pick<
  Table['$inferSelect'],
  keyof Columns & keyof Table['$inferSelect']
>

/** What an assistant's live configuration is made from: the parts of the catalogue entries that it names. */
export interface Sources {
  template?: Selected<typeof promptTemplates, typeof templateColumns>
  baseConfig?: Selected<typeof baseConfigs, typeof baseConfigColumns>
  personality?: Selected<typeof personalities, typeof personalityColumns>
  /** The layers that only the v2 builder uses. */
  industry?: Selected<typeof industryTemplates, typeof industryColumns>
  preset?: Selected<typeof layer2Presets, typeof presetColumns>
}

/** The catalogue entries that an assistant names. */
export interface References {
  templateId: number | null
  personalityId: number | null
  baseConfigId: number | null
  industryTemplateId: number | null
  layer2Key: string | null
  /**
   * Copies of entries that were deleted or rewritten after a version that a restore went back to: they stand in for a
   * reference.
   */
  kept: Sources | null
  /** How v2 built it: null for others, whose base config is what their template brings. */
  build: Build | null
}

/** The texts with placeholders that entries bring: neither their names nor their settings. */
const texts = {
  template: ({ template }) => [template?.prompt, template?.firstMessage, template?.endCallMessage],
  personality: ({ personality }) => [personality?.prompt],
  industry: ({ industry }) => [industry?.prompt],
  preset: ({ preset }) => [
    promptOf(preset?.overrides),
    preset?.overrides.firstMessage,
    preset?.overrides.endCallMessage,
  ],
} satisfies Record<string, (sources: Sources) => unknown[]>

/** Whether an entry is there in both, and brings the same texts. */
export const bringsTheSame = (part: keyof typeof texts, one: Sources, other: Sources): boolean =>
  one[part] !== undefined &&
  other[part] !== undefined &&
  Bun.deepEquals(
    texts[part](one).map((text) => text ?? null),
    texts[part](other).map((text) => text ?? null),
  )

/**
 * Loads what a draft refers to, as far as it exists; where it names nothing, a kept copy. A base config that is not
 * named comes from the template, or from the industry template; where v2 built it, the copy of the one that was named
 * goes before.
 */
export async function loadSources(db: Executor, draft: References): Promise<Sources> {
  const { templateId, industryTemplateId, layer2Key } = draft
  const kept = draft.kept ?? {}
  const [template, personality, industry, preset] = await Promise.all([
    templateId === null ? kept.template : findTemplate(db, templateId),
    personalityOf(db, draft),
    industryTemplateId === null ? kept.industry : findIndustry(db, industryTemplateId),
    layer2Key === null ? kept.preset : findPreset(db, layer2Key),
  ])
  const isCopied = draft.baseConfigId === null && draft.build !== null && kept.baseConfig !== undefined
  const baseConfigId = draft.baseConfigId ?? template?.baseConfigId ?? industry?.baseConfigId
  const baseConfig = isCopied || baseConfigId == null ? undefined : await findBaseConfig(db, baseConfigId)
  return { template, personality, industry, preset, baseConfig: baseConfig ?? kept.baseConfig }
}

/**
 * The kept copies that still stand in for a reference after a body that names these parts anew. The base config that
 * came with a template goes with it, but for what v2 built, which has its own. Null when none is left.
 */
export function keptWithout(
  { kept, build }: Pick<References, 'kept' | 'build'>,
  named: readonly (keyof Sources)[],
): Sources | null {
  if (!kept) return null
  const dropped = new Set<string>(named)
  const bases = (['template', 'industry'] as const).filter((part) => dropped.has(part))
  if (!build && bases.some((part) => kept[part]?.baseConfigId != null)) dropped.add('baseConfig')
  const left = Object.entries(kept).filter(([part]) => !dropped.has(part))
  return left.length > 0 ? Object.fromEntries(left) : null
}

/**
 * The copies without a template's, whose spoken texts become the assistant's own, and whose base config stays as a
 * copy.
 */
export async function withoutKeptTemplate<Stored extends References & { config: AssistantConfig }>(
  db: Executor,
  stored: Stored,
): Promise<Stored> {
  const { template, ...others } = stored.kept ?? {}
  if (!template) return stored
  const { baseConfig } = await loadSources(db, stored)
  const kept: Sources = { ...others, ...(stored.baseConfigId === null && baseConfig && { baseConfig }) }
  const { firstMessage, endCallMessage } = stored.config
  const config = {
    ...stored.config,
    firstMessage: firstMessage ?? template.firstMessage ?? undefined,
    endCallMessage: endCallMessage ?? template.endCallMessage ?? undefined,
  }
  return { ...stored, config, kept: Object.keys(kept).length > 0 ? kept : null }
}

async function findTemplate(db: Executor, id: number) {
  const [template] = await db.select(templateColumns).from(promptTemplates).where(eq(promptTemplates.id, id))
  return template
}

async function findIndustry(db: Executor, id: number) {
  const [industry] = await db.select(industryColumns).from(industryTemplates).where(eq(industryTemplates.id, id))
  return industry
}

async function findPreset(db: Executor, key: string) {
  const [preset] = await db.select(presetColumns).from(layer2Presets).where(eq(layer2Presets.key, key))
  return preset
}

async function findBaseConfig(db: Executor, id: number) {
  const [baseConfig] = await db.select(baseConfigColumns).from(baseConfigs).where(eq(baseConfigs.id, id))
  return baseConfig
}

/** The personality of a draft: the one that it names, or a kept copy; undefined for none. */
export async function personalityOf(
  db: Executor,
  { personalityId: id, kept }: Pick<References, 'personalityId' | 'kept'>,
): Promise<Sources['personality']> {
  if (id === null) return kept?.personality
  const [personality] = await db.select(personalityColumns).from(personalities).where(eq(personalities.id, id))
  return personality
}
