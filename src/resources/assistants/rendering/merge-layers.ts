import { isObject } from '../../../json/object.ts'

import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { isProviderPart, keptUnder } from '../write/provider-parts.ts'
import { promptOf } from './prompt.ts'

/** The layers, lowest first (contract: builder 1). */
export const layerNames = [
  'base_config',
  'industry_template',
  'layer2_preset',
  'personality',
  'prompt_template',
  'request',
] as const
export type LayerName = (typeof layerNames)[number]

export interface Layer {
  name: LayerName
  /** Settings in the write body's names. */
  config?: Settings
  /** The system prompt that it brings; a system message in its `config` counts as well. */
  prompt?: string | null
}

export interface Merged {
  config: Settings
  /** For each leaf of `config`, by its dotted path, the layer that set it. Arrays are leaves. */
  provenance: Record<string, LayerName>
}

/** Which layer set what is at a key, and what is below it, by key: what is forgotten goes with all below it. */
interface Origin {
  layer?: LayerName
  below: Map<string, Origin>
}

function below({ below: origins }: Origin, key: string): Origin {
  const origin = origins.get(key) ?? { below: new Map() }
  origins.set(key, origin)
  return origin
}

/** Settings put onto others: objects merge key by key, null removes, everything else replaces. */
function put(under: Settings, above: Settings, layer: LayerName, origin: Origin, isTop = true): Settings {
  const merged = { ...under }
  for (const [key, value] of Object.entries(above)) {
    const before = merged[key]
    if (value === undefined) continue
    if (value === null) {
      delete merged[key]
      origin.below.delete(key)
    } else if (isObject(value) && (isObject(before) || Object.keys(value).length > 0)) {
      const lower = isObject(before) ? before : {}
      const kept = isTop && isProviderPart(key) ? keptUnder(key, lower, value) : lower
      if (!isObject(before)) origin.below.delete(key)
      const origins = below(origin, key)
      for (const dropped of Object.keys(lower)) {
        if (!Object.hasOwn(kept, dropped)) origins.below.delete(dropped)
      }
      merged[key] = put(kept, value, layer, origins, false)
    } else {
      merged[key] = value
      origin.below.set(key, { layer, below: new Map() })
    }
  }
  return merged
}

/** The messages with the highest layer's prompt as the system message; the others are kept after it. */
function withPrompt(config: Settings, layers: readonly Layer[], origin: Origin): Settings {
  const prompts = layers.map((layer) => ({ name: layer.name, text: layer.prompt ?? promptOf(layer.config) }))
  const highest = prompts.findLast(({ text }) => text !== undefined)
  if (highest?.text === undefined) return config
  const model = isObject(config.model) ? config.model : {}
  const sent: unknown[] = Array.isArray(model.messages) ? model.messages : []
  const others = sent.filter((message) => !isObject(message) || message.role !== 'system')
  const system = highest.text === '' ? [] : [{ role: 'system', content: highest.text }]
  below(below(origin, 'model'), 'messages').layer = highest.name
  return { ...config, model: { ...model, messages: [...system, ...others] } }
}

/** The layers by dotted path. */
const pathsOf = ({ below: origins }: Origin, at = ''): [string, LayerName][] =>
  [...origins].flatMap(([key, origin]) => [
    ...(origin.layer ? [[`${at}${key}`, origin.layer] as [string, LayerName]] : []),
    ...pathsOf(origin, `${at}${key}.`),
  ])

/**
 * Merges the layers of an assistant, lowest first, and says which layer set each leaf. Where a layer selects another
 * provider for the model, voice or transcriber, what lower layers set for theirs falls away with it.
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const origin: Origin = { below: new Map() }
  const merged = layers.reduce<Settings>((config, layer) => put(config, layer.config ?? {}, layer.name, origin), {})
  const config = withPrompt(merged, layers, origin)
  return { config, provenance: Object.fromEntries(pathsOf(origin).sort(([a], [b]) => (a < b ? -1 : 1))) }
}
