import { z } from 'zod'
import { integerId, isoTime, requiredError, requiredId, requiredText, text, uuidId } from '../../api/schemas.ts'
import { toolScopes } from './table.ts'

const name = requiredText(255)
const prompt = requiredText(100_000)
const greeting = text(1000).nullable()
const stamps = { created_at: isoTime, updated_at: isoTime }
const made = { id: true, created_at: true, updated_at: true } as const

/**
 * Settings of an assistant as base configs and presets hold them, in the write body's camelCase names with the
 * provider selections, and the platform's voice object of a personality (contract: catalogue 7).
 */
const Settings = z.record(z.string(), z.unknown(), { error: requiredError }).meta({ additionalProperties: true })

export const PromptTemplate = z
  .object({
    id: integerId,
    name,
    prompt,
    first_message: greeting,
    end_call_message: greeting,
    base_config_id: integerId.nullable(),
    variables: z.array(requiredText(64)).max(100).meta({ description: 'Names used as {{name}} in its texts.' }),
    ...stamps,
  })
  .meta({ id: 'PromptTemplate' })

export const PromptTemplateBody = PromptTemplate.omit(made).extend({
  first_message: greeting.default(null),
  end_call_message: greeting.default(null),
  base_config_id: PromptTemplate.shape.base_config_id.default(null),
  variables: PromptTemplate.shape.variables.default([]),
})

export const BaseConfig = z.object({ id: integerId, name, config: Settings, ...stamps }).meta({ id: 'BaseConfig' })

export const BaseConfigBody = BaseConfig.omit(made)

const CustomField = z.object({
  key: requiredText(64),
  label: requiredText(255),
  required: z.boolean().optional(),
})

export const IndustryTemplate = z
  .object({
    id: integerId,
    name,
    base_config_id: requiredId,
    prompt,
    custom_fields: z.array(CustomField).max(100).meta({ description: 'Questions; a `key` becomes a variable.' }),
    ...stamps,
  })
  .meta({ id: 'IndustryTemplate' })

export const IndustryTemplateBody = IndustryTemplate.omit(made).extend({
  custom_fields: IndustryTemplate.shape.custom_fields.default([]),
})

export const Layer2Preset = z
  .object({ id: integerId, key: requiredText(64), name, overrides: Settings, ...stamps })
  .meta({ id: 'Layer2Preset' })

export const Layer2PresetBody = Layer2Preset.omit(made)

export const Personality = z
  .object({ id: integerId, name, voice: Settings, prompt: prompt.nullable(), ...stamps })
  .meta({ id: 'Personality' })

export const PersonalityBody = Personality.omit(made).extend({ prompt: Personality.shape.prompt.default(null) })

export const Tool = z
  .object({
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
  .meta({ id: 'Tool' })

export const ToolBody = Tool.omit(made).extend({
  id: Tool.shape.id.optional(),
  owner_id: Tool.shape.owner_id.default(null),
  locked: Tool.shape.locked.default(false),
  definition: Tool.shape.definition.default(null),
})

const price = z.number({ error: requiredError }).min(0).max(1_000_000)

export const ModelPrice = z
  .object({
    id: integerId,
    model: requiredText(255),
    prompt_usd_per_million: price,
    completion_usd_per_million: price,
    ...stamps,
  })
  .meta({ id: 'ModelPrice' })

export const ModelPriceBody = ModelPrice.omit(made)
