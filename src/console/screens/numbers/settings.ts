import type { client } from '../../api/client.ts'
import { changedFields } from '../../parts/changes.ts'
import type { PhoneNumber } from './list.tsx'
import { targetIn } from './targets.ts'

type Saving = Omit<Parameters<typeof client.phoneNumbers.update.mutate>[0], 'id'>

/** What the form of a number holds. */
export interface Settings {
  name: string
  /** Kind and id of who answers; empty for nobody. */
  target: string
  /** A phone number or a SIP address. */
  fallback: string
  fallbackMessage: string
  webhook: string
  sms_enabled: boolean
  static_ip_enabled: boolean
}

/** What its fields are called. */
export const labels: Record<keyof Settings, string> = {
  name: 'Name',
  target: 'Calls go to',
  fallback: 'If nobody answers, to this number or SIP address',
  fallbackMessage: 'Said before that',
  webhook: 'Webhook of its calls',
  sms_enabled: 'Takes text messages',
  static_ip_enabled: 'Webhooks come from fixed addresses',
}

const fallbackOf = (destination: PhoneNumber['fallback_destination']) =>
  destination?.type === 'sip' ? destination.sipUri : destination?.number

/** The form's first values for a number. */
export function settingsOf(number: PhoneNumber): Settings {
  const { name, fallback_destination, server, sms_enabled, static_ip_enabled } = number
  return {
    name: name ?? '',
    target: targetIn(number),
    fallback: fallbackOf(fallback_destination) ?? '',
    fallbackMessage: fallback_destination?.message ?? '',
    webhook: server?.url ?? '',
    sms_enabled,
    static_ip_enabled,
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

const isSip = (destination: string) => /^sips?:|^[^@\s]+@[^@\s]+$/i.test(destination.trim())

/** Of one kind, without what it was of the other. */
const destinationOf = (fallback: string) =>
  isSip(fallback)
    ? ({ type: 'sip', sipUri: fallback, number: null } as const)
    : ({ type: 'number', number: fallback, sipUri: null } as const)

/** The block of the destination; undefined where nothing of it changed, null where there shall be none. */
function blockOf(
  { fallback, fallbackMessage }: Partial<Settings>,
  destination: string | null,
): Saving['fallback_destination'] {
  if (destination === null) return fallback === undefined ? undefined : null
  if (fallback === undefined && fallbackMessage === undefined) return undefined
  return {
    ...(fallback !== undefined && destinationOf(destination)),
    ...(fallbackMessage !== undefined && { message: orNull(fallbackMessage) }),
  }
}

function targetOf(target: string): Saving {
  const [kind, id] = target.split(' ')
  return {
    voice_assistant_id: kind === 'assistant' ? id : null,
    voice_squad_id: kind === 'squad' ? id : null,
    ...(kind !== 'workflow' && { voice_workflow_id: null }),
  }
}

/** The write that turns one state of the form into another: only what changed, so that others' changes stay. */
export function changesOf(before: Settings, after: Settings): Saving {
  const changed = changedFields(before, after)
  const { name, target, webhook, sms_enabled, static_ip_enabled } = changed
  return {
    sms_enabled,
    static_ip_enabled,
    fallback_destination: blockOf(changed, orNull(after.fallback)),
    ...(name !== undefined && { name: orNull(name) }),
    ...(target !== undefined && targetOf(target)),
    ...(webhook !== undefined && { server: { url: orNull(webhook) } }),
  }
}
