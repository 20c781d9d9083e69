import { mergeObjects } from '../../json/merge.ts'
import type { Json } from '../../json/object.ts'
import { assistantDefaults, defaultModel, defaultPlans, defaultTranscriber, defaultVoice } from './defaults.ts'
import { clip, limits } from './limits.ts'
import type { LiveAssistantBody, LiveAssistantInput, Settings } from './live-assistant.ts'
import { withMessages } from './model.ts'
import { toServer } from './plans.ts'
import { present, textOf } from './settings.ts'
import { toVoicemailDetection } from './speech.ts'
import { type MappingOptions, translated } from './translation.ts'

type Engine = 'transcriber' | 'model' | 'voice'

const { firstMessageMode, firstMessageInterruptionsEnabled, ...otherDefaults } = assistantDefaults

/**
 * What an assistant is sent where its record says nothing, so that a PATCH leaves nothing behind, in the order of a
 * body.
 */
const neutral = {
  name: '',
  firstMessage: '',
  firstMessageMode,
  firstMessageInterruptionsEnabled,
  voicemailMessage: '',
  endCallMessage: '',
  endCallPhrases: [],
  ...otherDefaults,
  transportConfigurations: [],
  transcriber: {},
  model: {},
  voice: {},
  ...defaultPlans,
  server: null,
  metadata: {},
  credentialIds: [],
  hooks: [],
  observabilityPlan: null,
} satisfies Omit<LiveAssistantBody, Engine> & Record<Engine, object>

const plans = Object.entries<Json>(defaultPlans)

/** The plans, of which what is not said is by default. */
function plansIn(said: Settings): Settings {
  const whole: Settings = {}
  for (const [name, byDefault] of plans) whole[name] = mergeObjects(byDefault, said[name])
  return whole
}

/** Settings of an engine with its provider; the selection goes with those that name none. */
function selected(settings: Settings | null | undefined, selection: { provider: string }) {
  const own = present(settings)
  const whole = own.provider === undefined ? { ...selection, ...own } : own
  return { ...whole, provider: textOf(own.provider) ?? selection.provider }
}

/**
 * The platform's body for an assistant, which is total: a pure function of the local record, for POST and PATCH alike.
 */
export function toPlatformAssistant(input: LiveAssistantInput, options: MappingOptions = {}): LiveAssistantBody {
  const { config, name, firstMessage, voicemailMessage, endCallMessage, messages, serverUrl, metadata } = input
  const said = translated(
    {
      ...config,
      firstMessage,
      voicemailMessage,
      endCallMessage,
      model: selected(config.model, defaultModel),
      voice: selected(config.voice, defaultVoice),
      transcriber: selected(config.transcriber, defaultTranscriber),
    },
    options,
  )
  return {
    ...({ ...neutral, ...said, ...plansIn(said) } as typeof neutral & Pick<LiveAssistantBody, Engine>),
    name: clip(name, limits.name),
    // A message to leave turns it on.
    voicemailDetection: toVoicemailDetection(config.voicemailDetection, voicemailMessage),
    model: withMessages(present(said.model), messages),
    server: toServer(serverUrl),
    metadata: { ...metadata, external_ref: input.externalRef },
  }
}
