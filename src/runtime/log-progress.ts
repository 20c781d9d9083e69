import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

interface LogProgressOptions {
  log: Logger
  clock: Clock
  /** Names the line for machines. */
  event: string
  /** Says to people what goes on. */
  text: string
  /** How much is left; asked only when a line is due. */
  left: () => Promise<number>
}

const everyMs = 5_000

/**
 * Tells the log how far long work in the background is, in numbers and per cent: every five seconds while it goes on, and
 * nothing of what is done sooner. Call the result whenever something is done.
 */
export function createLogProgress({ log, clock, event, text, left }: LogProgressOptions): () => Promise<void> {
  let done = 0
  let saidAt = clock.now().getTime()
  return async () => {
    done += 1
    const now = clock.now().getTime()
    if (now - saidAt < everyMs) return
    saidAt = now
    const rest = await left()
    log.info({ event, done, left: rest, percent: Math.floor((100 * done) / (done + rest)) }, text)
  }
}
