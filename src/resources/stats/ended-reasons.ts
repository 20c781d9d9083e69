export const endedCategories = [
  'completed',
  'transferred',
  'voicemail',
  'not_reached',
  'timed_out',
  'canceled',
  'error',
] as const
export type EndedCategory = (typeof endedCategories)[number]

/** The first rule whose pattern fits decides; what fits none is an error, as most of the platform's 627 reasons are. */
const rules: readonly [EndedCategory, RegExp][] = [
  ['voicemail', /^voicemail$/],
  ['timed_out', /^(silence-timed-out|exceeded-max-duration)$/],
  ['canceled', /^(manually-canceled|call-deleted|scheduled-call-deleted)$/],
  ['not_reached', /^(customer-busy|customer-did-not-answer|customer-did-not-give-microphone-permission)$/],
  ['not_reached', /misdialed$|^vonage-rejected$|hungup-before-call-connect$|^call\.forwarding\./],
  [
    'transferred',
    /^assistant-forwarded-call$|forwarding-phone-number$|hook-executed-transfer$|-warm-transfer-attempt$/,
  ],
  ['completed', /^(assistant-ended-call|assistant-said-end-call-phrase|customer-ended-call)/],
  ['completed', /^vonage-completed$|-completed-call$|hook-executed-say$/],
]

/** The category of a platform's ended reason. */
export function endedCategory(reason: string): EndedCategory {
  return rules.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'error'
}
