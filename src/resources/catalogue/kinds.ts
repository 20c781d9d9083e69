import { eq } from 'drizzle-orm'
import { integerId, uuidId } from '../../api/schemas.ts'
import { refusedTool, refusedVoice } from '../../voice-platform/schema/rules.ts'
import { refusedConfig } from '../assistants/write/config-rules.ts'
import { layerNaming, userOf } from '../references/in-use.ts'
import { lockToolReferences, resolveTool } from '../tools/definition.ts'
import { catalogueKind } from './kind.ts'
import { lockLayer } from './layer-tools.ts'
import { liveTools } from './live-tools.ts'
import {
  BaseConfig,
  BaseConfigBody,
  BaseConfigUpdate,
  IndustryTemplate,
  IndustryTemplateBody,
  IndustryTemplateUpdate,
  Layer2Preset,
  Layer2PresetBody,
  Layer2PresetUpdate,
  ModelPrice,
  ModelPriceBody,
  ModelPriceUpdate,
  Personality,
  PersonalityBody,
  PersonalityUpdate,
  PromptTemplate,
  PromptTemplateBody,
  PromptTemplateUpdate,
  Tool,
  ToolBody,
  ToolUpdate,
} from './schema.ts'
import {
  baseConfigs,
  industryTemplates,
  layer2Presets,
  modelPrices,
  personalities,
  promptTemplates,
  tools,
} from './table.ts'
import { toolBody, toolIdNow } from './tool-remote.ts'

export const promptTemplateKind = catalogueKind({
  path: 'prompt-templates',
  names: ['prompt template', 'prompt templates'],
  table: promptTemplates,
  Id: integerId,
  Body: PromptTemplateBody,
  Update: PromptTemplateUpdate,
  Entry: PromptTemplate,
  constraints: { prompt_templates_base_config_id_base_configs_id_fk: 'base_config_id' },
})

export const baseConfigKind = catalogueKind({
  path: 'base-configs',
  names: ['base config', 'base configs'],
  table: baseConfigs,
  Id: integerId,
  Body: BaseConfigBody,
  Update: BaseConfigUpdate,
  Entry: BaseConfig,
  constraints: {},
  refuse: ({ config }) => refusedConfig(config, 'config'),
  lock: lockLayer,
})

export const industryTemplateKind = catalogueKind({
  path: 'industry-templates',
  names: ['industry template', 'industry templates'],
  table: industryTemplates,
  Id: integerId,
  Body: IndustryTemplateBody,
  Update: IndustryTemplateUpdate,
  Entry: IndustryTemplate,
  constraints: { industry_templates_base_config_id_base_configs_id_fk: 'base_config_id' },
})

export const layer2PresetKind = catalogueKind({
  path: 'layer2-presets',
  names: ['layer-2 preset', 'layer-2 presets'],
  table: layer2Presets,
  Id: integerId,
  Body: Layer2PresetBody,
  Update: Layer2PresetUpdate,
  Entry: Layer2Preset,
  constraints: { layer2_presets_key_unique: 'key' },
  refuse: ({ overrides }) => refusedConfig(overrides, 'overrides'),
  lock: lockLayer,
})

export const personalityKind = catalogueKind({
  path: 'personalities',
  names: ['personality', 'personalities'],
  table: personalities,
  Id: integerId,
  Body: PersonalityBody,
  Update: PersonalityUpdate,
  Entry: Personality,
  constraints: {},
  refuse: ({ voice }) => refusedVoice(voice),
  lock: lockLayer,
})

export const toolKind = catalogueKind({
  path: 'tools',
  names: ['tool', 'tools'],
  table: tools,
  Id: uuidId,
  Body: ToolBody,
  Update: ToolUpdate,
  Entry: Tool,
  constraints: { tools_pkey: 'id', tools_owner_id_users_id_fk: 'owner_id' },
  refuse(body) {
    const { scope, owner_id } = body
    if (scope === 'own' && owner_id === null) {
      return { owner_id: ['The owner_id field is required when scope is own.'] }
    }
    if (scope === 'global' && owner_id !== null) {
      return { owner_id: ['The owner_id field must be empty when scope is global.'] }
    }
    return refusedTool(toolBody(body))
  },
  // A global tool has no owner, so that one that becomes global has none any more.
  implied: ({ scope }) => (scope === 'global' ? { owner_id: null } : {}),
  resolve: resolveTool,
  lock: lockToolReferences,
  async usedBy(executor, id) {
    const itself = { kind: 'tool', tools: eq(tools.id, id) } as const
    const user = (await userOf(executor, { kind: 'tool', id }, undefined, itself)) ?? (await layerNaming(executor, id))
    return user && `${user.kind}s`
  },
  idNow: toolIdNow,
  live: liveTools,
})

export const modelPriceKind = catalogueKind({
  path: 'model-prices',
  names: ['model price', 'model prices'],
  table: modelPrices,
  Id: integerId,
  Body: ModelPriceBody,
  Update: ModelPriceUpdate,
  Entry: ModelPrice,
  constraints: { model_prices_model_unique: 'model' },
})
