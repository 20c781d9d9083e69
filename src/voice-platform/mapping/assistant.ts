import type { Vapi } from '@vapi-ai/server-sdk'
import { isObject } from '../../json/object.ts'

import {
  defaultClientMessages,
  defaultFirstMessageMode,
  defaultMaxDurationSeconds,
  defaultServerMessages,
} from './defaults.ts'
import { clamp, clientMessages, clip, firstMessageModes, limits, serverMessages } from './limits.ts'
import type { LiveAssistantBody, LiveAssistantInput } from './live-assistant.ts'
import { toModel } from './model.ts'
import {
  toAnalysisPlan,
  toArtifactPlan,
  toCompliancePlan,
  toDenoisingPlan,
  toKeypadInputPlan,
  toMonitorPlan,
  toServer,
} from './plans.ts'
import { pick, present, textsOf } from './settings.ts'
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
  backgroundSoundBaseUrl?: string
}

/** The names that the platform knows; the default list when nothing is stored. */
function known<Name extends string>(
  stored: unknown[] | null | undefined,
  names: readonly Name[],
  byDefault: Name[],
): Name[] {
  if (!stored) return [...byDefault]
  const sent = new Set(textsOf(stored))
  return names.filter((name) => sent.has(name))
}

/** Phrases of 2..140 characters; the platform would reject the whole body for any other. */
function fittingPhrases(phrases: unknown[] | null | undefined): string[] {
  const [min, max] = limits.endCallPhrase
  return textsOf(phrases).filter((phrase) => [...phrase].length >= min && [...phrase].length <= max)
}

/** Transport settings for the one transport that the platform has them for. */
function transports(stored: unknown[] | null | undefined): Vapi.TransportConfigurationTwilio[] {
  return (stored ?? [])
    .filter((item) => isObject(item) && item.provider === 'twilio')
    .map((item) => ({ ...pick(present(item), ['timeout', 'record', 'recordingChannels']), provider: 'twilio' }))
}

/**
 * The platform's body for an assistant: a pure function of the local record, for POST and PATCH alike.
 * What the platform has no field for stays local; what would be rejected as it is, is mapped, clamped or held back.
 */
export function toPlatformAssistant(input: LiveAssistantInput, options: MappingOptions = {}): LiveAssistantBody {
  const { config } = input
  const mode = firstMessageModes.find((name) => name === config.firstMessageMode)
  return {
    name: clip(input.name, limits.name),
    firstMessage: input.firstMessage ?? '',
    firstMessageMode: mode ?? defaultFirstMessageMode,
    firstMessageInterruptionsEnabled: config.firstMessageInterruptionsEnabled ?? false,
    voicemailMessage: clip(input.voicemailMessage ?? '', limits.message),
    endCallMessage: clip(input.endCallMessage ?? '', limits.message),
    endCallPhrases: fittingPhrases(config.endCallPhrases),
    voicemailDetection: toVoicemailDetection(config.voicemailDetection, input.voicemailMessage),
    maxDurationSeconds: clamp(config.maxDurationSeconds ?? defaultMaxDurationSeconds, limits.maxDurationSeconds),
    backgroundSound: toBackgroundSound(config.backgroundSound, options.backgroundSoundBaseUrl),
    modelOutputInMessagesEnabled: config.modelOutputInMessagesEnabled ?? false,
    clientMessages: known(config.clientMessages, clientMessages, defaultClientMessages),
    serverMessages: known(config.serverMessages, serverMessages, defaultServerMessages),
    transportConfigurations: transports(config.transportConfigurations),
    transcriber: toTranscriber(config.transcriber),
    model: toModel(input),
    voice: toVoice(config.voice),
    compliancePlan: toCompliancePlan(config),
    backgroundSpeechDenoisingPlan: toDenoisingPlan(config),
    startSpeakingPlan: toStartSpeakingPlan(config.startSpeakingPlan),
    stopSpeakingPlan: toStopSpeakingPlan(config.stopSpeakingPlan),
    monitorPlan: toMonitorPlan(config.monitorPlan),
    keypadInputPlan: toKeypadInputPlan(config.keypadInputPlan),
    analysisPlan: toAnalysisPlan(config),
    artifactPlan: toArtifactPlan(config),
    server: toServer(input.serverUrl),
    metadata: { ...input.metadata, external_ref: input.externalRef },
    credentialIds: textsOf(config.credentialIds),
    // An item's shape is the platform's to judge: its response names what it does not accept.
    hooks: (config.hooks ?? []).filter(isObject) as unknown as LiveAssistantBody['hooks'],
    observabilityPlan: config.observabilityPlan
      ? (present(config.observabilityPlan) as unknown as Vapi.LangfuseObservabilityPlan)
      : null,
  }
}
