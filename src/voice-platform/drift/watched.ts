import { PlatformError } from '../errors.ts'
import type { RemoteKind } from '../mirror/remote-kind.ts'

/** So many reads that fail one after the other raise the question whether the platform shows anything. */
const firstBound = 5

/**
 * A kind whose reads tell objects that fail by themselves from a platform that shows none: after some that failed in a
 * row, `showsOther` is asked, while all other reads wait. Once it says no, every read throws `unavailable`. Reads that
 * fail do not count for the circuit breaker.
 * @param showsOther whether the platform shows an object that is not among these
 */
export function watched(remote: RemoteKind, showsOther: (failed: ReadonlySet<string>) => Promise<boolean>): RemoteKind {
  const failed = new Set<string>()
  let inARow = 0
  let bound = firstBound
  let isShowing = Promise.resolve(true)

  const requireShowing = async () => {
    if (!(await isShowing)) throw new PlatformError('unavailable', 'The voice platform shows no object at the moment.')
  }

  const noteFailure = (id: string) => {
    failed.add(id)
    inARow += 1
    if (inARow < bound) return
    inARow = 0
    // Where many objects fail, each question would cost as much as they do.
    bound *= 2
    isShowing = showsOther(failed)
  }

  return {
    ...remote,
    live: {
      ...remote.live,
      async get(id, options) {
        await requireShowing()
        try {
          const live = await remote.live.get(id, { ...options, countsFailure: false })
          inARow = 0
          return live
        } catch (error) {
          if (options?.signal?.aborted || !(error instanceof PlatformError)) throw error
          if (error.kind === 'unknown') noteFailure(id)
          else inARow = 0
          await requireShowing()
          throw error
        }
      },
    },
  }
}
