import type { LocalState } from './state.ts'

/** What the child is started with. */
export interface ChildConfig {
  env: Record<string, string>
  platformUrl: string
  platformKey: string
  times: { leaseMs: number; graceMs: number; pauseMs: number }
}

/** The last step of a request. */
export const answered = 'the answer is computed'

/** What the test asks the child, one at a time; without `killAt` steps are only noted. */
export type Question = { ask: 'arm'; killAt?: string } | { ask: 'steps' } | { ask: 'state' }

/** What the child says: its URL once it is ready, then one reply to each question. */
export interface Reply {
  url?: string
  armed?: true
  steps?: string[]
  state?: LocalState
}
