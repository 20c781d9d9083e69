import { defaultTurnTimes, type TurnTimes } from './turn.ts'

/** Bounds of turns; times in milliseconds. */
export interface TurnSettings {
  times: TurnTimes
  /** How many tokens a prompt may have; instructions, memory and the newest message stay beyond it. */
  contextTokens: number
  /** How many tokens a reply may have. */
  outputTokens: number
  /** The zone in which agents are told the time (IANA). */
  timeZone: string
  /** How long a second sender waits for a chat. */
  queueMs: number
  /** How long a chat stays taken after its server died. */
  leaseMs: number
}

/** Turns of one process at once. */
export const defaultTurnsAtOnce = 100

export const defaultTurnSettings: TurnSettings = {
  times: defaultTurnTimes,
  contextTokens: 16_000,
  outputTokens: 4_096,
  timeZone: 'UTC',
  queueMs: 30_000,
  leaseMs: 8_000,
}
