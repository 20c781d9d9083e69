import type { LocalState } from './state.ts'

/** What the child is started with. */
export interface ChildConfig {
  env: Record<string, string>
  platformUrl: string
  platformKey: string
  times: { leaseMs: number; graceMs: number; everyMs: number }
}

/** What the test asks the child, one at a time. `killAt` counts from 1; 0 only counts. */
export type Question = { ask: 'arm'; killAt: number } | { ask: 'steps' } | { ask: 'state' }

/** What the child says: its URL once it is ready, then one reply to each question. */
export interface Reply {
  url?: string
  armed?: true
  steps?: string[]
  state?: LocalState
}
