import type { Build } from '../assistants/schema.ts'
import { shown } from './diff.ts'

type Json = Record<string, unknown>

/** An assistant's whole configuration as a version keeps it. */
export interface Configuration {
  name: string
  type: string
  template_id: number | null
  personality_id: number | null
  base_config_id: number | null
  industry_template_id: number | null
  layer2_key: string | null
  /** How v2 built it; absent in entries that are older than the builder. */
  build?: Build | null
  webhook_url: string | null
  metadata: object
  config: object
  /** The live twin's body, texts rendered. */
  live: object
  widget_embed_config: object | null
}

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Which engines are selected is platform-managed and not shown (contract: assistants 2). */
const selections: Record<string, readonly string[]> = {
  model: ['provider', 'model'],
  voice: ['provider', 'model'],
  transcriber: ['provider', 'model'],
}

function withoutSelections(config: object): Json {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const hidden = selections[name]
      if (!hidden || typeof value !== 'object' || value === null) return [name, value]
      return [name, Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.includes(key)))]
    }),
  )
}

/** What readers of the history compare: the configuration in the write body's names, and the texts as rendered. */
export function comparable({ config, live, build, ...rest }: Configuration): Json {
  const { firstMessage, endCallMessage, model } = object(live)
  return {
    ...rest,
    ...(build && { system_prompt: build.request.system_prompt }),
    ...withoutSelections(config),
    rendered: { first_message: firstMessage, end_call_message: endCallMessage, messages: object(model).messages },
  }
}

/** A kept configuration as a reader sees it, secrets masked. */
export function readable(configuration: Configuration): Json {
  const { config, live: _live, build, ...rest } = configuration
  const { rendered } = comparable(configuration)
  return object(
    shown('', { ...rest, ...(build && { request: build.request }), config: withoutSelections(config), rendered }),
  )
}
