import type { Vapi } from '@vapi-ai/server-sdk'
import { ownValue } from '../../json/object.ts'
import { defaultVoicemailProvider } from './defaults.ts'
import { transcriberLanguage } from './languages.ts'
import { clamp, limits, transcriberConfidence, voiceSpeeds } from './limits.ts'
import type { LiveAssistantBody, Settings } from './live-assistant.ts'
import { numberOf, pick, present, textOf } from './settings.ts'

/** A voice with its provider: `speed` is clamped to the provider's range, left out where it has none. */
export function toVoice({ speed, ...rest }: Settings): LiveAssistantBody['voice'] {
  const range = ownValue(voiceSpeeds, String(rest.provider))
  const value = numberOf(speed)
  return {
    ...rest,
    ...(range && value !== undefined ? { speed: clamp(value, range) } : {}),
  } as LiveAssistantBody['voice']
}

/**
 * A transcriber with its provider. `formatTurns` is for AssemblyAI alone, `confidenceThreshold` for the providers that
 * have it, and `language` only where the provider takes it.
 */
export function toTranscriber(transcriber: Settings): LiveAssistantBody['transcriber'] {
  const { language, confidenceThreshold, formatTurns, ...rest } = transcriber
  const provider = String(rest.provider)
  const range = ownValue(transcriberConfidence, provider)
  const confidence = numberOf(confidenceThreshold)
  const spoken = textOf(language)
  return {
    ...(provider === 'speechmatics' ? { customVocabulary: [] } : {}),
    ...rest,
    ...present({ language: spoken && transcriberLanguage(provider, spoken) }),
    ...(range && confidence !== undefined ? { confidenceThreshold: clamp(confidence, range) } : {}),
    ...(provider === 'assembly-ai' ? present({ formatTurns }) : {}),
  } as LiveAssistantBody['transcriber']
}

/**
 * `off` unless it is enabled, or there is a message to leave and nothing says that it is not. `beepDetection: false`
 * waits for no beep; the two durations have no counterpart and stay local; the platform's own keys pass.
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
export function toStartSpeakingPlan(config: Settings): Vapi.StartSpeakingPlan {
  const ours = present(config.startSpeakingPlan)
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
export function toStopSpeakingPlan(config: Settings): Vapi.StopSpeakingPlan {
  const ours = present(config.stopSpeakingPlan)
  const delayMs = numberOf(ours.initialDelayMs)
  return {
    ...(delayMs === undefined ? {} : { backoffSeconds: clamp(delayMs / 1000, limits.backoffSeconds) }),
    ...pick(ours, ['numWords', 'voiceSeconds', 'backoffSeconds', 'acknowledgementPhrases', 'interruptionPhrases']),
  }
}
