import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'

/** The parts of a configuration that select a provider, and their settings that mean the same at every provider. */
const neutralSettings = {
  model: ['messages', 'maxTokens', 'temperature', 'functionCall', 'functionCallBehavior', 'tools', 'toolIds'],
  voice: ['speed'],
  transcriber: ['language', 'confidenceThreshold', 'formatTurns'],
} as const satisfies Record<string, readonly string[]>

export type ProviderPart = keyof typeof neutralSettings

/** Whether a key of a configuration is a part that selects a provider. */
export const isProviderPart = (key: string): key is ProviderPart => Object.hasOwn(neutralSettings, key)

const selects = (part: Settings) => part.provider !== undefined && part.provider !== null

/**
 * What stays of a part when settings are put onto it: all of it, unless they select another provider, to which the
 * settings of this one mean nothing.
 */
export function keptUnder(name: ProviderPart, below: Settings, above: Settings): Settings {
  if (!selects(below) || !selects(above) || below.provider === above.provider) return below
  const neutral: readonly string[] = neutralSettings[name]
  return Object.fromEntries(Object.entries(below).filter(([key]) => neutral.includes(key)))
}
