/** A mistake that somebody might make. */
export interface PlantedBug extends Place {
  name: string
  /** A second place that stands behind the first: what the one misses, the other sees. */
  behind?: Place
  /** The profile whose worlds are tried, where the others hardly ever come to the place. */
  profile?: string
  /** The first seed that is tried, 1 unless said. */
  seed?: number
  /** How many instances serve, two unless said. */
  instances?: number
}

/** What stands in a file once, and what stands there instead. */
export interface Place {
  file: string
  find: string
  replace: string
}

const mirror = 'src/voice-platform/mirror'

/** Places that several bugs are planted in. */
export const files = {
  rows: `${mirror}/journal/rows.ts`,
  journal: `${mirror}/journal/journal.ts`,
  end: `${mirror}/journal/end.ts`,
  journalTable: `${mirror}/journal/table.ts`,
  keptIntents: `${mirror}/journal/kept-intents.ts`,
  lease: `${mirror}/journal/lease.ts`,
  steps: `${mirror}/write/steps.ts`,
  create: `${mirror}/write/create.ts`,
  update: `${mirror}/write/update.ts`,
  remove: `${mirror}/write/remove.ts`,
  reapply: `${mirror}/reapply.ts`,
  recover: `${mirror}/recover.ts`,
  intents: `${mirror}/agreement/intents.ts`,
  merge: `${mirror}/agreement/merge.ts`,
  inspect: 'src/voice-platform/drift/inspect.ts',
  findings: 'src/voice-platform/drift/findings.ts',
  change: 'src/resources/assistants/write/update.ts',
  follow: 'src/resources/references/follow.ts',
  purchase: 'src/resources/phone-numbers/purchase/purchase.ts',
  sync: 'src/resources/phone-numbers/sync/sync.ts',
  numberRemote: 'src/resources/phone-numbers/remote.ts',
  routing: 'src/resources/phone-numbers/routing/routing.ts',
  survey: `${mirror}/agreement/survey.ts`,
  members: 'src/resources/squads/members.ts',
  renamed: 'src/resources/squads/renamed-members.ts',
  spend: 'src/resources/billing/spend.ts',
  payable: 'src/resources/billing/payable.ts',
  credit: 'src/resources/billing/credit.ts',
  expiry: 'src/resources/billing/expiry.ts',
} as const
