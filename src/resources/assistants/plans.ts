import { openObject } from './write/schema.ts'

const toggle = { type: 'boolean' } as const
const count = { type: 'integer', minimum: 0 } as const
const number = { type: 'number' } as const

/** An object that is shown as it is stored; `properties` only tell the keys that the contract names (assistants 4). */
const shown = (properties: Record<string, object>) => openObject.meta({ properties })

const speaking = { initialDelayMs: number, backgroundSoundVolume: number }

/** The objects of the record, by the fields that hold them. */
export const plans = {
  voicemail_detection: shown({
    enabled: toggle,
    beepDetection: toggle,
    silenceDuration: count,
    greetingDuration: count,
  }),
  compliance_plan: shown({
    recordingEnabled: toggle,
    transcriptionEnabled: toggle,
    dataRetentionDays: { type: 'integer', minimum: 1 },
  }),
  background_speech_denoising_plan: shown({ smartDenoising: toggle, fourierDenoising: toggle }),
  artifact_plan: shown({ recording: toggle, transcript: toggle, summary: toggle, analysis: toggle }),
  start_speaking_plan: shown(speaking),
  stop_speaking_plan: shown(speaking),
  monitor_plan: shown({
    listenEnabled: toggle,
    controlEnabled: toggle,
    websocketUrl: { type: ['string', 'null'], format: 'uri' },
  }),
  keypad_input_plan: shown({
    enabled: toggle,
    maxDigits: { type: 'integer', minimum: 1, maximum: 10 },
    terminateOnHash: toggle,
  }),
}
