import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject } from '../../json/object.ts'
import { defaultFirstMessageMode } from './defaults.ts'
import { clamp, clientMessages, clip, firstMessageModes, limits, serverMessages } from './limits.ts'
import type { ConfigField, LiveAssistantBody, ManagedField, Settings } from './live-assistant.ts'
import { toModel } from './model.ts'
import {
  toAnalysisPlan,
  toArtifactPlan,
  toCompliancePlan,
  toDenoisingPlan,
  toKeypadInputPlan,
  toMonitorPlan,
} from './plans.ts'
import { toServer } from './server.ts'
import { numberOf, pick, present, textOf, textsOf } from './settings.ts'
import {
  toBackgroundSound,
  toStartSpeakingPlan,
  toStopSpeakingPlan,
  toTranscriber,
  toVoice,
  toVoicemailDetection,
} from './speech.ts'

/** What the mapping takes from the installation. */
export interface MappingOptions {
  /** Base URL of the background sounds other than `office`; without it they are off upstream. */
  backgroundSoundBaseUrl?: string | undefined
}

/**
 * A field's value in the platform's form, beside all that is said; a value of another type is the platform's to judge.
 */
type Translation = (value: unknown, all: Settings, options: MappingOptions) => unknown

const asIs: Translation = (value) => value

const ofText =
  (to: (text: string, options: MappingOptions) => string): Translation =>
  (value, _all, options) =>
    typeof value === 'string' ? to(value, options) : value

const ofList =
  (to: (list: unknown[]) => unknown[]): Translation =>
  (value) =>
    Array.isArray(value) ? to(value) : value

/** Settings of an engine that is named: they depend on it. */
const ofEngine =
  (to: (settings: Settings) => object): Translation =>
  (value) =>
    isObject(value) && textOf(value.provider) ? to(present(value)) : value

/** A plan, of which other fields may say something too; nothing where nothing is said. */
const ofPlan =
  (to: (all: Settings) => object): Translation =>
  (value, all) => {
    if (value !== undefined && !isObject(value)) return value
    const plan = to(all)
    return Object.keys(plan).length > 0 ? plan : undefined
  }

/** The names that the platform knows. */
const known = (names: readonly string[]) =>
  ofList((sent) => {
    const texts = new Set(textsOf(sent))
    return names.filter((name) => texts.has(name))
  })

const message = ofText((text) => clip(text, limits.message))

/** Phrases of 2..140 characters; the platform would reject the whole body for any other. */
const fittingPhrases = ofList((phrases) => {
  const [min, max] = limits.endCallPhrase
  return textsOf(phrases).filter((phrase) => [...phrase].length >= min && [...phrase].length <= max)
})

/** Transport settings for the one transport that the platform has them for. */
const transports = ofList((items) =>
  items
    .filter((item) => isObject(item) && item.provider === 'twilio')
    .map((item): Vapi.TransportConfigurationTwilio => {
      return { ...pick(present(item), ['timeout', 'record', 'recordingChannels']), provider: 'twilio' }
    }),
)

/** One that names a provider is in the platform's form already. */
const voicemailDetection: Translation = (value, { voicemailMessage }) =>
  isObject(value) && !value.provider ? toVoicemailDetection(value, textOf(voicemailMessage)) : value

const translations: { readonly [Field in ManagedField]: Translation } = {
  name: asIs,
  firstMessage: asIs,
  firstMessageMode: ofText((mode) => firstMessageModes.find((name) => name === mode) ?? defaultFirstMessageMode),
  firstMessageInterruptionsEnabled: asIs,
  voicemailMessage: message,
  endCallMessage: message,
  endCallPhrases: fittingPhrases,
  voicemailDetection,
  maxDurationSeconds: (value) =>
    numberOf(value) === undefined ? value : clamp(Number(value), limits.maxDurationSeconds),
  backgroundSound: ofText((sound, { backgroundSoundBaseUrl }) => toBackgroundSound(sound, backgroundSoundBaseUrl)),
  modelOutputInMessagesEnabled: asIs,
  clientMessages: known(clientMessages),
  serverMessages: known(serverMessages),
  transportConfigurations: transports,
  transcriber: ofEngine(toTranscriber),
  model: ofEngine(toModel),
  voice: ofEngine(toVoice),
  compliancePlan: ofPlan(toCompliancePlan),
  backgroundSpeechDenoisingPlan: ofPlan(toDenoisingPlan),
  startSpeakingPlan: ofPlan(toStartSpeakingPlan),
  stopSpeakingPlan: ofPlan(toStopSpeakingPlan),
  monitorPlan: ofPlan(toMonitorPlan),
  keypadInputPlan: ofPlan(toKeypadInputPlan),
  analysisPlan: ofPlan(toAnalysisPlan),
  artifactPlan: ofPlan(toArtifactPlan),
  server: toServer,
  metadata: asIs,
  credentialIds: ofList(textsOf),
  // An item's shape is the platform's to judge: its response names what it does not accept.
  hooks: ofList((hooks) => hooks.filter(isObject)),
  observabilityPlan: (value) => (isObject(value) ? present(value) : value),
}

const fields = Object.entries(translations)

/** The fields that a record has among its settings. */
export const configFields = Object.keys(translations).filter(
  (field): field is ConfigField => field !== 'name' && field !== 'server' && field !== 'metadata',
)

/**
 * What a configuration says, in the platform's form and without any default: what the platform has no field for stays
 * local; what would be rejected as it is, is mapped, clamped or held back.
 */
export function translated(config: Settings, options: MappingOptions): Partial<LiveAssistantBody> {
  const all = present(config)
  const made: Settings = {}
  for (const [field, translate] of fields) {
    const value = translate(all[field], all, options)
    if (value !== null && value !== undefined) made[field] = value
  }
  return made as Partial<LiveAssistantBody>
}
