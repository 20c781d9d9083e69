import type { Json } from '../../json/object.ts'
import type { Sources } from '../assistants/rendering/sources.ts'
import type { Build } from '../assistants/schema.ts'
import { maskedValue } from './mask.ts'
import { withoutSelections } from './selections.ts'

/** An assistant's whole configuration as a version keeps it. */
export interface Configuration {
  name: string
  type: string
  template_id: number | null
  personality_id: number | null
  base_config_id: number | null
  industry_template_id: number | null
  layer2_key: string | null
  /** Copies of entries that were deleted before; absent in entries that are older than they. */
  kept?: Sources | null
  /** How v2 built it; absent in entries that are older than the builder. */
  build?: Build | null
  webhook_url: string | null
  metadata: object
  config: object
  /** The remote object's body, texts rendered. */
  live: object
  widget_embed_config: object | null
}

/** A configuration with what its texts were rendered from, so that it can be restored whatever is deleted since. */
export interface KeptConfiguration extends Configuration {
  /** Absent in entries from before these were kept. */
  sources?: Sources
}

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

/**
 * What readers of the history compare: the configuration in the write body's names, and the texts as rendered. The
 * entries of the catalogue behind them are told by what they make of the texts.
 */
export function comparable({ config, live, build, kept: _copies, sources: _origin, ...rest }: KeptConfiguration): Json {
  const { firstMessage, endCallMessage, model } = object(live)
  return {
    ...rest,
    ...(build && { system_prompt: build.request.system_prompt }),
    ...withoutSelections(config),
    rendered: { first_message: firstMessage, end_call_message: endCallMessage, messages: object(model).messages },
  }
}

/** The texts with placeholders that each named entry brought. */
const textsOf = ({ template, industry, personality }: Sources): Json => ({
  ...(template && {
    template: {
      name: template.name,
      prompt: template.prompt,
      first_message: template.firstMessage,
      end_call_message: template.endCallMessage,
    },
  }),
  ...(industry && { industry_template: { name: industry.name, prompt: industry.prompt } }),
  ...(personality && { personality: { name: personality.name, prompt: personality.prompt } }),
})

/** A kept configuration as a reader sees it, secrets masked. */
export function readable(configuration: KeptConfiguration): Json {
  const { config, live: _live, build, kept: _copies, sources, ...rest } = configuration
  const { rendered } = comparable(configuration)
  return object(
    maskedValue('', {
      ...rest,
      ...(build && { request: build.request }),
      config: withoutSelections(config),
      ...(sources && { rendered_from: textsOf(sources) }),
      rendered,
    }),
  )
}
