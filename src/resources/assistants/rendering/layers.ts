import type { Build } from '../schema.ts'
import type { Layer } from './merge-layers.ts'
import type { Sources } from './sources.ts'

const texts = (firstMessage: string | null | undefined, endCallMessage: string | null | undefined) => ({
  firstMessage: firstMessage ?? undefined,
  endCallMessage: endCallMessage ?? undefined,
})

/** The layers of an assistant, lowest first, from what its references lead to and what requests said. */
export function layersOf(sources: Sources, request: Build['request']): Layer[] {
  const { baseConfig, industry, preset, personality, template } = sources
  return [
    { name: 'base_config', config: baseConfig?.config },
    { name: 'industry_template', prompt: industry?.prompt },
    { name: 'layer2_preset', config: preset?.overrides },
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
