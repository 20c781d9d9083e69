/** How much of one kind of work runs at once in this process. */
export interface Bounds {
  total: number
  /**
   * Of these, for one key. Unless given a quarter of what the others have left, one at least: a quarter of all for each
   * would be gone after four workspaces.
   */
  perKey?: number
}

/** Gives a place back. */
export type Leave = () => void

/** Places for a kind of work that waits on others, of which no key gets more than its part. */
export interface FairShare {
  hasRoom(key: string): boolean
  /** A place at once, or undefined when there is none. */
  take(key: string): Leave | undefined
  /** A place as soon as there is one, or undefined when `signal` aborts before. */
  wait(key: string, signal: AbortSignal): Promise<Leave | undefined>
}

/**
 * Makes the places. Keys that wait get them by turns, past those that have their part already, and who waits under one
 * key in the order of arrival. What a place costs to give back does not grow with how many wait.
 */
export function createFairShare({ total, perKey }: Bounds): FairShare {
  const taken = new Map<string, number>()
  const waiting = new Map<string, Set<(leave: Leave) => void>>()
  let running = 0

  const hasRoom = (key: string) => {
    const own = taken.get(key) ?? 0
    return running < total && own < (perKey ?? Math.max(1, Math.floor((total - running + own) / 4)))
  }

  const take = (key: string): Leave | undefined => {
    if (!hasRoom(key)) return undefined
    running += 1
    taken.set(key, (taken.get(key) ?? 0) + 1)
    return () => {
      running -= 1
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
      // One place more may be a larger part for several. A key that is passed has a place, so there are not many.
      for (const [next, entries] of waiting) {
        if (running >= total) return
        const [enter] = entries
        const leave = enter && take(next)
        if (!leave) continue
        waiting.delete(next)
        entries.delete(enter)
        if (entries.size > 0) waiting.set(next, entries)
        enter(leave)
      }
    }
  }

  return {
    hasRoom,
    take,
    wait(key, signal) {
      const leave = signal.aborted ? undefined : take(key)
      if (leave || signal.aborted) return Promise.resolve(leave)
      return new Promise((resolve) => {
        const enter = (entered: Leave) => {
          signal.removeEventListener('abort', abort)
          resolve(entered)
        }
        const abort = () => {
          const entries = waiting.get(key)
          entries?.delete(enter)
          if (entries?.size === 0) waiting.delete(key)
          resolve(undefined)
        }
        const entries = waiting.get(key) ?? new Set()
        waiting.set(key, entries.add(enter))
        signal.addEventListener('abort', abort, { once: true })
      })
    },
  }
}
