import { z } from 'zod'
import { errorEntry } from '../../api/errors/catalogue.ts'
import { beyond, clearable, dataOf, integerId, pageOf, savedOf, text, uuidId, webUrl } from '../../api/schemas.ts'
import { layerNames } from '../assistants/rendering/merge-layers.ts'
import { Assistant, ListQuery } from '../assistants/schema.ts'
import {
  assistantTypes,
  MetadataBody,
  openObject,
  switchedPersonality,
  UpdateMetadata,
  WriteBody,
} from '../assistants/write/schema.ts'
import { IndustryTemplate } from '../catalogue/schema.ts'

const greeting = clearable(text(1000))
const { name, type, variableValues } = WriteBody.shape

/** What a record makes of `metadata` by itself: repeated, it says nothing. */
const madeKeys = [
  'personality',
  'personality_id',
  'user_id',
  'user',
  'type',
  'variable_values',
  'created_at',
  'updated_at',
  'external_ref',
] as const

/** Any keys: a custom field's is one as well as those of the write body. */
const openMetadata = (named: typeof MetadataBody) =>
  clearable(
    named.loose().transform((sent) => {
      const kept = { ...sent }
      for (const key of madeKeys) delete kept[key]
      return kept
    }),
  )

/** The v2 body (contract: builder 11). */
const body = {
  base_config_id: clearable(integerId).meta({
    description: 'Required unless `prompt_template_id` or `industry_template_id` leads to one.',
  }),
  name,
  type,
  layer2_key: clearable(text(64)).meta({ description: 'Key of a layer-2 preset.' }),
  prompt_template_id: clearable(integerId).meta({ description: "Stored as the assistant's template." }),
  industry_template_id: clearable(integerId),
  system_prompt: clearable(text(100_000)).meta({ description: "Replaces the templates' prompts." }),
  first_message: greeting,
  firstMessage: greeting.meta({ description: 'The same as `first_message`, which wins unless it is null.' }),
  end_call_message: greeting,
  endCallMessage: greeting.meta({ description: 'The same as `end_call_message`, which wins unless it is null.' }),
  server_url: clearable(webUrl(2048)).meta({ description: 'Where call events are delivered: the `webhook_url`.' }),
  personality_id: clearable(integerId),
  metadata: openMetadata(MetadataBody),
  variable_values: variableValues,
}

const draftGreeting = clearable(text(10_000))

/**
 * What is checked without creating anything; that nothing leads to a base config is said once all is read, and that a
 * text is too long for an assistant as for the merged configuration.
 */
export const PreviewInput = z.object({
  ...body,
  first_message: draftGreeting,
  firstMessage: draftGreeting.meta({ description: 'The same as `first_message`, which wins unless it is null.' }),
  end_call_message: draftGreeting,
  endCallMessage: draftGreeting.meta({ description: 'The same as `end_call_message`, which wins unless it is null.' }),
})

/** What builds a new assistant. */
export const BuildInput = z.object(body).refine(
  (sent) => {
    const leads = [sent.base_config_id, sent.prompt_template_id, sent.industry_template_id]
    return leads.some((id) => id != null)
  },
  // Said beside whatever else is wrong, not only once the rest is right.
  {
    path: ['base_config_id'],
    message: errorEntry('v2_no_base').message,
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
)

const path = { assistantId: uuidId }
export const BuiltPath = z.object(path)

/** Only what is sent changes; a name that is sent is never empty. */
export const RebuildInput = z.object({
  ...body,
  name: name.optional(),
  personality_id: switchedPersonality,
  metadata: openMetadata(UpdateMetadata),
  ...path,
})

/** A v2 body without its path. */
export type BuildBody = Omit<z.output<typeof RebuildInput>, 'assistantId'>

const BuildContext = z.object({
  base_config_id: z.int().nullable(),
  layer2_key: z.string().nullable(),
})

/** The assistant record with how it was built (contract: builder 8). */
export const BuiltAssistant = Assistant.extend({
  build_context: BuildContext.meta({ description: 'Null values for an assistant that v2 did not build.' }),
  base_config_name: z.string().nullable(),
}).meta({ id: 'BuiltAssistant' })

export type BuiltRecord = z.input<typeof BuiltAssistant>

/** What an update responds with (contract: builder 9). */
export const RebuiltAssistant = BuiltAssistant.omit({ build_context: true }).meta({ id: 'RebuiltAssistant' })

export type RebuiltRecord = z.input<typeof RebuiltAssistant>

const { search, phone_search, sort_by, sort_order } = ListQuery.shape

export const BuiltListQuery = ListQuery.omit({ lite: true }).extend({
  search: beyond(search),
  phone_search: beyond(phone_search),
  sort_by: beyond(sort_by),
  sort_order: beyond(sort_order),
  type: z.enum(assistantTypes).nullable().optional(),
})

export const FormOptions = z
  .object({
    base_configs: z.array(z.object({ id: z.int(), name: z.string() })),
    industry_templates: z.array(
      IndustryTemplate.pick({ id: true, name: true, base_config_id: true, custom_fields: true }),
    ),
    layer2_presets: z.array(z.object({ id: z.int(), key: z.string(), name: z.string() })),
    personalities: z.array(z.object({ id: z.int(), name: z.string() })),
  })
  .meta({ id: 'FormOptions' })

const Preview = z
  .object({
    config: openObject.meta({
      description: 'The merged configuration, texts with their placeholders, secrets masked.',
    }),
    provenance: z.record(z.string(), z.enum(layerNames)).meta({
      description: 'Which layer set each leaf of `config`, by its dotted path. Arrays are leaves.',
    }),
    unresolved: z.array(z.string()).meta({
      description: 'Placeholders of its texts that have no value.',
    }),
    rendered: z
      .object({
        first_message: z.string(),
        end_call_message: z.string(),
        messages: z.array(z.object({ role: z.string(), content: z.string() })),
      })
      .meta({ description: 'The texts as a call would use them.' }),
  })
  .meta({ id: 'BuildPreview' })

export type PreviewData = z.input<typeof Preview>

export const FormOptionsResponse = dataOf(FormOptions)
export const PreviewResponse = z.object({ success: z.literal(true), message: z.string(), data: Preview })
export const BuiltResponse = dataOf(BuiltAssistant)
export const BuiltSaved = savedOf(BuiltAssistant)
export const RebuiltSaved = savedOf(RebuiltAssistant)
export const BuiltPage = pageOf(BuiltAssistant)
