import type { BackoffPlan } from './message.ts'

const maxPauseMs = 60 * 60_000

/**
 * Milliseconds until the next attempt, after `attempts` of them: the base delay, doubled each time when the plan is
 * exponential, and a quarter more or less by chance, so that receivers that come back are not met all at once.
 * `chance` is from 0 to 1.
 */
export function pauseMs({ type, baseDelaySeconds }: BackoffPlan, attempts: number, chance: number): number {
  const factor = type === 'exponential' ? 2 ** Math.max(0, attempts - 1) : 1
  return Math.min(maxPauseMs, baseDelaySeconds * 1000 * factor) * (0.75 + chance / 2)
}
