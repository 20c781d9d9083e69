import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

interface LogProgressOptions {
  log: Logger
  clock: Clock
  /** Names the line for machines. */
  event: string
  /** The text of the line. */
  text: string
  /** How much is left; asked only when a line is due. */
  left: () => Promise<number>
}

const everyMs = 5_000

/**
 * Logs how far long background work is, as counts and per cent: every five seconds while it runs, so nothing of what is
 * done sooner. Call the result whenever something is done.
 */
export function createLogProgress({ log, clock, event, text, left }: LogProgressOptions): () => Promise<void> {
  let done = 0
  let loggedAt = clock.now().getTime()
  return async () => {
    done += 1
    const now = clock.now().getTime()
    if (now - loggedAt < everyMs) return
    loggedAt = now
    const rest = await left()
    log.info({ event, done, left: rest, percent: Math.floor((100 * done) / (done + rest)) }, text)
  }
}
