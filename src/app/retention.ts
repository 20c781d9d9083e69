import type { z } from 'zod'
import { integer } from './settings/forms.ts'

const days = (standard: number) => integer(36_500).default(standard)

/** How long what piles up is kept, in days; 0 is for ever. */
export const retentionVariables = {
  RETENTION_AUDIT_DAYS: days(0),
  RETENTION_MESSAGES_DAYS: days(0),
  RETENTION_CALLS_DAYS: days(0),
  RETENTION_VERSIONS_DAYS: days(0),
  RETENTION_DELIVERIES_DAYS: days(30),
  RETENTION_DRIFT_DAYS: days(365),
}

/** Days, 0 for ever. */
export interface Retention {
  audit: number
  messages: number
  /** Of the embedded platform: a real one has its own rules. */
  calls: number
  /** The newest of each assistant stays. */
  versions: number
  /** Webhooks that were delivered or given up. */
  deliveries: number
  /** Differences from the live platform that have ended. */
  drift: number
}

/** What the variables say. */
export const retentionOf = (v: z.output<z.ZodObject<typeof retentionVariables>>): Retention => ({
  audit: v.RETENTION_AUDIT_DAYS,
  messages: v.RETENTION_MESSAGES_DAYS,
  calls: v.RETENTION_CALLS_DAYS,
  versions: v.RETENTION_VERSIONS_DAYS,
  deliveries: v.RETENTION_DELIVERIES_DAYS,
  drift: v.RETENTION_DRIFT_DAYS,
})
