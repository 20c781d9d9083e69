import type { Logger } from 'pino'
import { isUnreachable } from '../db/unreachable.ts'

/** Where events of the process are listened for. */
interface Events {
  on(name: string, listener: (reason: unknown) => void): unknown
  off(name: string, listener: (reason: unknown) => void): unknown
}

/** What was caught at the very end, since the start. */
export interface LastResort {
  readonly rejections: number
  readonly exceptions: number
  stop(): void
}

/**
 * Handles errors that no other code handled. A rejection belongs to one piece of work, which has failed: it is
 * logged and counted, and the process goes on. So does an exception from a connection that was lost; after any other,
 * nobody knows what state things are in, and `onBroken` is called.
 */
export function lastResort(log: Logger, onBroken: () => void, events: Events = process): LastResort {
  const counts = { rejections: 0, exceptions: 0 }
  const onRejection = (reason: unknown) => {
    counts.rejections += 1
    log.error(
      { event: 'unhandled_rejection', count: counts.rejections, err: reason },
      'a rejection that nobody handled',
    )
  }
  const onException = (error: unknown) => {
    counts.exceptions += 1
    const survived = isUnreachable(error)
    const what = { event: 'uncaught_exception', count: counts.exceptions, survived, err: error }
    log.fatal(what, 'an exception that nobody caught')
    if (!survived) onBroken()
  }
  events.on('unhandledRejection', onRejection)
  events.on('uncaughtException', onException)
  return {
    get rejections() {
      return counts.rejections
    },
    get exceptions() {
      return counts.exceptions
    },
    stop() {
      events.off('unhandledRejection', onRejection)
      events.off('uncaughtException', onException)
    },
  }
}
