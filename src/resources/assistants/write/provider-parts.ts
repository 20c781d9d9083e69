import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'
import { pick } from '../../../voice-platform/mapping/settings.ts'
import { refusedVoice } from '../../../voice-platform/schema/rules.ts'

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

function neutralOf(name: ProviderPart, part: Settings): Settings {
  const neutral: readonly string[] = neutralSettings[name]
  return Object.fromEntries(Object.entries(part).filter(([key]) => neutral.includes(key)))
}

/** What of a voice means something to its provider alone, its id among it. */
export function selectionOf(voice: Settings): Settings {
  const neutral: readonly string[] = neutralSettings.voice
  return Object.fromEntries(Object.entries(voice).filter(([key]) => !neutral.includes(key)))
}

/**
 * What stays of a part when settings are put onto it: all of it, unless they select another provider, to which the
 * settings of this one mean nothing.
 */
export function keptUnder(name: ProviderPart, below: Settings, above: Settings): Settings {
  if (!selects(below) || !selects(above) || below.provider === above.provider) return below
  return neutralOf(name, below)
}

/**
 * A voice whose id was taken away. The builder's layers give theirs again, `layered`, with the provider that it belongs
 * to. Where there is none and the provider cannot do without, the selection of the provider goes as well, with the
 * settings that mean nothing elsewhere: the base config's voice, or the default one, stands again.
 */
export function withoutVoiceId({ voiceId: _taken, ...voice }: Settings, layered: Settings = {}): Settings {
  const given = layered.provider === voice.provider ? pick(layered, ['voiceId']) : {}
  if (given.voiceId !== undefined || !refusedVoice(voice)?.['voice.voiceId']) return { ...voice, ...given }
  return { ...selectionOf(layered), ...neutralOf('voice', voice) }
}
