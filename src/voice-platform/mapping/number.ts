import type { Json } from '../../json/object.ts'
import { serverBackoffPlan } from './defaults.ts'
import { clip } from './limits.ts'
import { withSecret } from './server.ts'
import { pick, present, textOf } from './settings.ts'

/** The fields of a live number that lead it somewhere: one of them takes the place of the others. */
export const targetFields = ['assistantId', 'squadId', 'workflowId'] as const

/** All that decides a phone number's live state, secrets in plain. */
export interface LiveNumberInput {
  /** E.164. */
  number: string
  provider: string
  name: string | null
  voiceAssistantId: string | null
  voiceSquadId: string | null
  voiceWorkflowId: string | null
  fallbackDestination: { type?: string } | null
  server: { secret?: string; headers?: Record<string, string> } | null
  hooks: unknown[]
  smsEnabled: boolean
}

/** The *total* body; null clears. What the carrier's account adds to a create is not in it. */
export interface LiveNumberBody {
  provider: string
  number: string
  name: string
  assistantId: string | null
  squadId: string | null
  workflowId: string | null
  fallbackDestination: Json | null
  server: Json | null
  hooks: unknown[]
  smsEnabled?: boolean
}

const maxName = 40
const maxExtension = 10

/** The one provider whose numbers take messages on the platform. */
export const smsProvider = 'twilio'

/**
 * What belongs to the other type stays local, and so does an extension that is empty or longer than the platform takes:
 * a part of it would be another one. The rest is the platform's to judge.
 */
function toDestination(stored: LiveNumberInput['fallbackDestination']): Json | null {
  if (!stored) return null
  const { number, extension, sipUri, ...shared } = present(stored)
  const dialled = textOf(extension)
  const own = dialled !== undefined && dialled.length <= maxExtension ? { number, extension: dialled } : { number }
  return { ...shared, ...present(stored.type === 'sip' ? { sipUri } : own) }
}

/** The webhook block, with retries, which the platform does not make by itself. The secret travels as a header. */
function toNumberServer(stored: LiveNumberInput['server']): Json | null {
  if (!stored) return null
  const headers = withSecret({ ...stored.headers }, stored.secret)
  return {
    ...pick(present(stored), ['url', 'timeoutSeconds', 'credentialId', 'staticIpAddressesEnabled']),
    ...(Object.keys(headers).length > 0 && { headers }),
    backoffPlan: serverBackoffPlan,
  }
}

/**
 * The platform's body for a phone number: a pure function of the local record. All three targets are always there, so
 * that one replaces another; `smsEnabled` only for the provider that has it.
 */
export function toPlatformNumber(input: LiveNumberInput): LiveNumberBody {
  return {
    provider: input.provider,
    number: input.number,
    name: clip(input.name ?? '', maxName),
    assistantId: input.voiceAssistantId,
    squadId: input.voiceSquadId,
    workflowId: input.voiceWorkflowId,
    fallbackDestination: toDestination(input.fallbackDestination),
    server: toNumberServer(input.server),
    hooks: input.hooks,
    ...(input.provider === smsProvider && { smsEnabled: input.smsEnabled }),
  }
}
