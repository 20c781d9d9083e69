import { z } from 'zod'
import { responseSchema } from '../../api/response-schema.ts'
import { integerId, isoTime, requiredError, requiredId, requiredText, text, uuidId } from '../../api/schemas.ts'
import { toolScopes } from './table.ts'

const name = requiredText(255)
const prompt = requiredText(100_000)
const greeting = text(1000).nullable()
const stamps = { created_at: isoTime, updated_at: isoTime }
const stamped = { created_at: true, updated_at: true } as const
const made = { id: true, ...stamped } as const

/**
 * Settings of an assistant as base configs and presets hold them, in the write body's camelCase names with the
 * provider selections, and the platform's voice object of a personality (contract: catalogue 7).
 */
const Settings = z.record(z.string(), z.unknown(), { error: requiredError }).meta({ additionalProperties: true })

const promptTemplate = z.object({
  id: integerId,
  name,
  prompt,
  first_message: greeting,
  end_call_message: greeting,
  base_config_id: integerId.nullable(),
  variables: z.array(requiredText(64)).max(100).meta({ description: 'Names used as {{name}} in its texts.' }),
  ...stamps,
})

export const PromptTemplate = responseSchema(promptTemplate).meta({ id: 'PromptTemplate' })

export const PromptTemplateBody = promptTemplate.omit(made).extend({
  first_message: greeting.default(null),
  end_call_message: greeting.default(null),
  base_config_id: promptTemplate.shape.base_config_id.default(null),
  variables: promptTemplate.shape.variables.default([]),
})

/** With the id of the path, as in every update: what an entry may do without keeps its value where it is left out. */
export const PromptTemplateUpdate = promptTemplate
  .omit(stamped)
  .partial({ first_message: true, end_call_message: true, base_config_id: true, variables: true })

const baseConfig = z.object({ id: integerId, name, config: Settings, ...stamps })

export const BaseConfig = responseSchema(baseConfig).meta({ id: 'BaseConfig' })

export const BaseConfigBody = baseConfig.omit(made)

export const BaseConfigUpdate = baseConfig.omit(stamped)

const CustomField = z.object({
  key: requiredText(64),
  label: requiredText(255),
  required: z.boolean().optional(),
})

const industryTemplate = z.object({
  id: integerId,
  name,
  base_config_id: requiredId,
  prompt,
  custom_fields: z.array(CustomField).max(100).meta({ description: 'Questions; a `key` becomes a variable.' }),
  ...stamps,
})

export const IndustryTemplate = responseSchema(industryTemplate).meta({ id: 'IndustryTemplate' })

export const IndustryTemplateBody = industryTemplate.omit(made).extend({
  custom_fields: industryTemplate.shape.custom_fields.default([]),
})

export const IndustryTemplateUpdate = industryTemplate.omit(stamped).partial({ custom_fields: true })

const layer2Preset = z.object({ id: integerId, key: requiredText(64), name, overrides: Settings, ...stamps })

export const Layer2Preset = responseSchema(layer2Preset).meta({ id: 'Layer2Preset' })

export const Layer2PresetBody = layer2Preset.omit(made)

export const Layer2PresetUpdate = layer2Preset.omit(stamped)

const personality = z.object({ id: integerId, name, voice: Settings, prompt: prompt.nullable(), ...stamps })

export const Personality = responseSchema(personality).meta({ id: 'Personality' })

export const PersonalityBody = personality.omit(made).extend({ prompt: personality.shape.prompt.default(null) })

export const PersonalityUpdate = personality.omit(stamped).partial({ prompt: true })

const tool = z.object({
  id: uuidId.meta({ description: "The platform's tool id." }),
  label: name,
  description: requiredText(1000),
  type: requiredText(64),
  scope: z
    .enum(toolScopes, { error: requiredError })
    .meta({ description: '`own`: of one user; `global`: of everyone.' }),
  owner_id: integerId.nullable(),
  locked: z.boolean().meta({ description: 'Stays attached to every assistant that has it.' }),
  definition: Settings.nullable(),
  ...stamps,
})

export const Tool = responseSchema(tool).meta({ id: 'Tool' })

export const ToolBody = tool.omit(made).extend({
  id: tool.shape.id.optional(),
  owner_id: tool.shape.owner_id.default(null),
  locked: tool.shape.locked.default(false),
  definition: tool.shape.definition.default(null),
})

export const ToolUpdate = tool.omit(stamped).partial({ owner_id: true, locked: true, definition: true })

const price = z.number({ error: requiredError }).min(0).max(1_000_000)

const modelPrice = z.object({
  id: integerId,
  model: requiredText(255),
  prompt_usd_per_million: price,
  completion_usd_per_million: price,
  ...stamps,
})

export const ModelPrice = responseSchema(modelPrice).meta({ id: 'ModelPrice' })

export const ModelPriceBody = modelPrice.omit(made)

export const ModelPriceUpdate = modelPrice.omit(stamped)
