import colors from 'color-string'
import { z } from 'zod'
import { responseSchema } from '../../api/response-schema.ts'
import { clearable, dataOf, requiredError, shownId, text, uuidId } from '../../api/schemas.ts'

const color = text(64)
  .refine((value) => colors.get(value.trim()) !== null, {
    error: (issue) => `The ${issue.path?.map(String).join('.')} field must be a CSS colour.`,
  })
  .meta({ examples: ['#0b5fff'] })

/** `scheme://host[:port]` of a page, as browsers send it in `Origin`. */
const origin = text(255)
  .refine(
    (value) => /^https?:\/\/[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value.toLowerCase(),
    {
      error: (issue) =>
        `The ${issue.path?.map(String).join('.')} field must be an origin such as https://www.example.com.`,
    },
  )
  .overwrite((value) => value.toLowerCase())
  .meta({ examples: ['https://www.example.com'] })

const label = clearable(text(255))

/** Characters of JSON. */
const maxConfig = 100_000

/** The widget's configuration. Other keys are kept for who sent them; the widget is not told of them. */
export const EmbedConfig = z
  .object(
    {
      mode: z.literal('chat').optional(),
      enabled: clearable(z.boolean()),
      theme: clearable(z.enum(['light', 'dark'])),
      position: clearable(z.enum(['bottom-right', 'bottom-left', 'top-right', 'top-left'])),
      size: clearable(z.enum(['tiny', 'compact', 'full'])),
      border_radius: clearable(z.enum(['none', 'small', 'medium', 'large'])),
      base_bg_color: clearable(color),
      accent_color: clearable(color),
      cta_button_color: clearable(color),
      cta_button_text_color: clearable(color),
      title: label,
      cta_title: label,
      cta_subtitle: label,
      start_button_text: label,
      end_button_text: label,
      chat_first_message: clearable(text(1000)),
      chat_placeholder: label,
      chat_empty_message: clearable(text(1000)),
      consent_required: clearable(z.boolean()),
      consent_title: label,
      consent_content: clearable(text(5000)),
      allowed_origins: clearable(z.array(origin).max(100)).meta({
        description: 'Pages that may use the widget; every page when the list is empty.',
      }),
      locale: clearable(
        text(35).regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'The locale must be a language tag such as en-US.'),
      ),
    },
    { error: requiredError },
  )
  .loose()
  .refine((config) => JSON.stringify(config).length <= maxConfig, {
    error: `The embed_config field is too large: it may have ${maxConfig} characters.`,
  })
  .meta({ id: 'EmbedConfig' })

/** The part of a configuration that the widget knows. */
export const forWidget = (config: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([key]) => Object.hasOwn(EmbedConfig.shape, key)))

const ShownEmbedConfig = responseSchema(EmbedConfig).loose().meta({ id: 'ShownEmbedConfig' })

export const EmbedPath = z.object({ assistantId: uuidId })
export const EmbedInput = EmbedPath.extend({ embed_config: EmbedConfig })

const Saved = z.object({
  assistant_id: shownId,
  embed_config: ShownEmbedConfig,
  public_key: z.string().meta({ examples: ['pk_0123456789abcdef0123456789abcdef'] }),
  embed_html: z.string().meta({ description: 'One script tag, ready to paste.' }),
})

export const EmbedSaved = dataOf(Saved)
export const EmbedResponse = dataOf(
  Saved.extend({
    widget_script_url: z.string().meta({ format: 'uri' }),
    api_url: z.string().meta({ format: 'uri', description: 'Where the widget sends messages.' }),
  }),
)
