import type { Vapi } from '@vapi-ai/server-sdk'
import { defaultTranscriber, defaultVoice, defaultVoicemailProvider } from './defaults.ts'
import { transcriberLanguage } from './languages.ts'
import { clamp, limits, transcriberConfidence, voiceSpeeds } from './limits.ts'
import type { LiveAssistantBody, Settings } from './live-assistant.ts'
import { numberOf, pick, present, textOf } from './settings.ts'

/** The voice with its provider; `speed` clamped to the provider's range, left out where it has none. */
export function toVoice(voice: Settings | null | undefined): LiveAssistantBody['voice'] {
  const { speed, ...rest } = present(voice)
  const provider = textOf(rest.provider) ?? defaultVoice.provider
  const voiceId = rest.provider === undefined ? { voiceId: defaultVoice.voiceId } : {}
  const range = voiceSpeeds[provider]
  const value = numberOf(speed)
  return {
    ...voiceId,
    ...rest,
    provider,
    ...(range && value !== undefined ? { speed: clamp(value, range) } : {}),
  } as LiveAssistantBody['voice']
}

/**
 * The transcriber with its provider. `formatTurns` is for AssemblyAI alone, `confidenceThreshold` for the providers that
 * have it, and `language` only where the provider takes it.
 */
export function toTranscriber(transcriber: Settings | null | undefined): LiveAssistantBody['transcriber'] {
  const { language, confidenceThreshold, formatTurns, ...rest } = present(transcriber)
  const provider = textOf(rest.provider) ?? defaultTranscriber.provider
  const selection = rest.provider === undefined ? defaultTranscriber : {}
  const range = transcriberConfidence[provider]
  const confidence = numberOf(confidenceThreshold)
  const spoken = textOf(language)
  return {
    ...selection,
    ...(provider === 'speechmatics' ? { customVocabulary: [] } : {}),
    ...rest,
    provider,
    ...present({ language: spoken && transcriberLanguage(provider, spoken) }),
    ...(range && confidence !== undefined ? { confidenceThreshold: clamp(confidence, range) } : {}),
    ...(provider === 'assembly-ai' ? present({ formatTurns }) : {}),
  } as LiveAssistantBody['transcriber']
}

/**
 * `off` unless it is enabled, or there is a message to leave and nothing says that it is not. `beepDetection: false` waits for no beep; the two durations have no counterpart and stay
 * local; the platform's own keys pass.
 */
export function toVoicemailDetection(
  detection: Settings | null | undefined,
  message: string | null = null,
): LiveAssistantBody['voicemailDetection'] {
  const ours = present(detection)
  const native = pick(ours, ['beepMaxAwaitSeconds', 'backoffPlan', 'type'])
  const isOn = ours.enabled ?? (ours.provider !== undefined || Boolean(message?.trim()))
  if (isOn !== true) return 'off'
  return {
    ...(ours.beepDetection === false ? { beepMaxAwaitSeconds: 0 } : {}),
    ...native,
    provider: textOf(ours.provider) ?? defaultVoicemailProvider,
  } as Vapi.VapiVoicemailDetectionPlan
}

/** `off`, `office` or a URL; another name becomes the sound file under the configured base, `off` without a base. */
export function toBackgroundSound(sound: string | null | undefined, baseUrl: string | undefined): string {
  if (!sound || sound === 'none') return 'off'
  if (sound === 'off' || sound === 'office' || /^https?:\/\//i.test(sound)) return sound
  return baseUrl ? `${baseUrl.replace(/\/+$/, '')}/${encodeURIComponent(sound)}.mp3` : 'off'
}

/** `initialDelayMs` is `waitSeconds` there; the volume has no counterpart; the platform's own keys pass and win. */
export function toStartSpeakingPlan(plan: Settings | null | undefined): Vapi.StartSpeakingPlan {
  const ours = present(plan)
  const delayMs = numberOf(ours.initialDelayMs)
  return {
    ...(delayMs === undefined ? {} : { waitSeconds: clamp(delayMs / 1000, limits.waitSeconds) }),
    ...pick(ours, [
      'waitSeconds',
      'smartEndpointingEnabled',
      'smartEndpointingPlan',
      'customEndpointingRules',
      'transcriptionEndpointingPlan',
    ]),
  }
}

/** `initialDelayMs` is `backoffSeconds` there; the volume has no counterpart; the platform's own keys pass and win. */
export function toStopSpeakingPlan(plan: Settings | null | undefined): Vapi.StopSpeakingPlan {
  const ours = present(plan)
  const delayMs = numberOf(ours.initialDelayMs)
  return {
    ...(delayMs === undefined ? {} : { backoffSeconds: clamp(delayMs / 1000, limits.backoffSeconds) }),
    ...pick(ours, ['numWords', 'voiceSeconds', 'backoffSeconds', 'acknowledgementPhrases', 'interruptionPhrases']),
  }
}
