import type { Timers } from './timers.ts'

const lookEveryMs = 1_000
/** The start runs much code once that nothing runs again. */
const quietAfterStartMs = 3_000
/** Later, code that was given up is compiled again with the next request, which takes tens of milliseconds more. */
const quietMs = 240_000
/** A process that takes this share of a core or less is quiet: its timers alone take less. */
const quietShare = 0.05
/** What a process gives back, and what it has worked. */
interface Work {
  /** Milliseconds of processor time of this process so far. */
  workedMs(): number
  /** Collects garbage and gives up compiled code, as soon as nothing runs. Holds the thread while it does. */
  giveBack(): void
}

const ownWork: Work = {
  workedMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  giveBack: () => Bun.shrink(),
}

/**
 * Gives memory back to the machine that only work needs: once the start is over, and then whenever nothing was done
 * for four minutes after something was. Of a server on PostgreSQL that is a tenth at its start and a quarter after some
 * hundred requests.
 */
export function idleMemoryPart(timers: Pick<Timers, 'every'>, { workedMs, giveBack }: Work = ownWork) {
  let end = () => {}
  return {
    start() {
      let waitMs = quietAfterStartMs
      let hasWorked = true
      let quietForMs = 0
      let seen = workedMs()
      const look = () => {
        const worked = workedMs()
        const isQuiet = worked - seen <= lookEveryMs * quietShare
        seen = worked
        hasWorked ||= !isQuiet
        quietForMs = isQuiet ? quietForMs + lookEveryMs : 0
        if (!hasWorked || quietForMs < waitMs) return
        giveBack()
        // What that takes by the next look is no work to give back after.
        seen = Number.POSITIVE_INFINITY
        hasWorked = false
        waitMs = quietMs
      }
      end = timers.every(lookEveryMs, look)
    },
    stop: () => end(),
  }
}
