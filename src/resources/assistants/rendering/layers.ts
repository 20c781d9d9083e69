import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import type { Build } from '../schema.ts'
import type { Layer } from './merge-layers.ts'
import type { Sources } from './sources.ts'

const texts = (firstMessage: string | null | undefined, endCallMessage: string | null | undefined) => ({
  firstMessage: firstMessage ?? undefined,
  endCallMessage: endCallMessage ?? undefined,
})

/** Fields of the live object that come from the request alone. */
const ofRequest: ReadonlySet<string> = new Set(['name', 'server', 'metadata'])

/** The settings of a catalogue entry (contract: catalogue 7). */
const settingsIn = (config: Settings | undefined): Settings | undefined =>
  config && Object.fromEntries(Object.entries(config).filter(([name]) => !ofRequest.has(name)))

/** The layers of an assistant, lowest first, from what its references lead to and what requests said. */
export function layersOf(sources: Sources, request: Build['request']): Layer[] {
  const { baseConfig, industry, preset, personality, template } = sources
  return [
    { name: 'base_config', config: settingsIn(baseConfig?.config) },
    { name: 'industry_template', prompt: industry?.prompt },
    { name: 'layer2_preset', config: settingsIn(preset?.overrides) },
    { name: 'personality', config: personality && { voice: personality.voice } },
    {
      name: 'prompt_template',
      prompt: template?.prompt,
      config: texts(template?.firstMessage, template?.endCallMessage),
    },
    {
      name: 'request',
      prompt: request.system_prompt,
      config: texts(request.first_message, request.end_call_message),
    },
  ]
}
