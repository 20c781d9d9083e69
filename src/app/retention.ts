import { integer } from './settings/forms.ts'
import { Setting, type ValuesOf } from './settings/setting.ts'

const days = (standard: number) => integer(36_500).default(standard)

/** How long what piles up is kept, in days; 0 is for ever. */
export const retention = {
  audit: new Setting('RETENTION_AUDIT_DAYS', days(0)),
  messages: new Setting('RETENTION_MESSAGES_DAYS', days(0)),
  /** Of the embedded platform: a real one has its own rules. */
  calls: new Setting('RETENTION_CALLS_DAYS', days(0)),
  /** The newest of each assistant stays. */
  versions: new Setting('RETENTION_VERSIONS_DAYS', days(0)),
  /** Webhooks that were delivered or given up. */
  deliveries: new Setting('RETENTION_DELIVERIES_DAYS', days(30)),
  /** Differences from the live platform that have ended. */
  drift: new Setting('RETENTION_DRIFT_DAYS', days(365)),
}

/** Days, 0 for ever. */
export type Retention = ValuesOf<typeof retention>
