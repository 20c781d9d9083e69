import { isObject, type Json } from '../../json/object.ts'
import type { ConfigField, Settings } from './live-assistant.ts'
import { configFields } from './translation.ts'

const object = (value: unknown): Json => (isObject(value) ? value : {})

function modelOf(model: unknown): Settings | undefined {
  if (!isObject(model)) return undefined
  const messages = (Array.isArray(model.messages) ? model.messages : []).map((message: unknown) => {
    const { role, content } = object(message)
    return { role: String(role ?? ''), content: typeof content === 'string' ? content : '' }
  })
  return { ...model, messages }
}

function voicemailDetectionOf(detection: unknown): Settings | undefined {
  if (detection === 'off') return { enabled: false }
  return isObject(detection) ? { ...detection, enabled: true } : undefined
}

function denoisingPlanOf(plan: unknown): Settings | undefined {
  if (!isObject(plan)) return undefined
  const { smartDenoisingPlan: smart, fourierDenoisingPlan: fourier } = plan
  return {
    smartDenoising: object(smart).enabled === true,
    fourierDenoising: object(fourier).enabled === true,
    ...(isObject(smart) && { smartDenoisingPlan: smart }),
    ...(isObject(fourier) && { fourierDenoisingPlan: fourier }),
  }
}

/** The fields that a record does not hold as the platform does. */
const otherwise: { readonly [Field in ConfigField]?: (value: unknown) => Settings | undefined } = {
  model: modelOf,
  voicemailDetection: voicemailDetectionOf,
  backgroundSpeechDenoisingPlan: denoisingPlanOf,
}

/** The settings of a platform's assistant in the names of the write body. */
export const configFromPlatform = (live: Json): Settings =>
  Object.fromEntries(
    configFields.map((field) => [field, otherwise[field] ? otherwise[field](live[field]) : (live[field] ?? undefined)]),
  )
