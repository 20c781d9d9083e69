import { isObject } from '../../json/object.ts'

import type { Settings } from '../../voice-platform/mapping/live-assistant.ts'
import { promptOf } from '../assistants/rendering/prompt.ts'
import { isProviderPart, keptUnder } from '../assistants/write/provider-parts.ts'

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

type Provenance = Map<string, LayerName>

function forget(provenance: Provenance, path: string): void {
  for (const known of provenance.keys()) {
    if (known === path || known.startsWith(`${path}.`)) provenance.delete(known)
  }
}

/** Settings put onto others: objects merge key by key, null removes, everything else replaces. */
function put(below: Settings, above: Settings, layer: LayerName, provenance: Provenance, at = ''): Settings {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const path = `${at}${key}`
    const before = merged[key]
    if (value === undefined) continue
    if (value === null) {
      delete merged[key]
      forget(provenance, path)
    } else if (isObject(value) && (isObject(before) || Object.keys(value).length > 0)) {
      const lower = isObject(before) ? before : {}
      const kept = at === '' && isProviderPart(key) ? keptUnder(key, lower, value) : lower
      for (const dropped of Object.keys(lower)) {
        if (!Object.hasOwn(kept, dropped)) forget(provenance, `${path}.${dropped}`)
      }
      if (!isObject(before)) forget(provenance, path)
      merged[key] = put(kept, value, layer, provenance, `${path}.`)
    } else {
      forget(provenance, path)
      merged[key] = value
      provenance.set(path, layer)
    }
  }
  return merged
}

/** The messages with the highest layer's prompt as the system message; the others are kept after it. */
function withPrompt(config: Settings, layers: readonly Layer[], provenance: Provenance): Settings {
  const prompts = layers.map((layer) => ({ name: layer.name, text: layer.prompt ?? promptOf(layer.config) }))
  const highest = prompts.findLast(({ text }) => text !== undefined)
  if (highest?.text === undefined) return config
  const model = isObject(config.model) ? config.model : {}
  const sent: unknown[] = Array.isArray(model.messages) ? model.messages : []
  const others = sent.filter((message) => !isObject(message) || message.role !== 'system')
  const system = highest.text === '' ? [] : [{ role: 'system', content: highest.text }]
  provenance.set('model.messages', highest.name)
  return { ...config, model: { ...model, messages: [...system, ...others] } }
}

/**
 * Merges the layers of an assistant, lowest first, and says which layer set each leaf. Where a layer selects another
 * provider for the model, voice or transcriber, what lower layers set for theirs falls away with it.
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const provenance: Provenance = new Map()
  const merged = layers.reduce<Settings>((config, layer) => put(config, layer.config ?? {}, layer.name, provenance), {})
  const config = withPrompt(merged, layers, provenance)
  return { config, provenance: Object.fromEntries([...provenance].sort(([a], [b]) => (a < b ? -1 : 1))) }
}
