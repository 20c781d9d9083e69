/** Lets a bounded number of calls run at once, of which one key gets a part; the rest wait for their turn. */
export interface FairQueue {
  /** Resolves with what gives the place back, or with undefined when `signal` aborts before there is one. */
  enter(key: string, signal: AbortSignal): Promise<(() => void) | undefined>
}

interface Waiting {
  key: string
  admit(): void
}

/**
 * Makes the queue. Who waits is let in in the order of arrival, past those whose key has its part already.
 * @param total calls at once
 * @param perKey of these, for one key
 */
export function createFairQueue({ total, perKey }: { total: number; perKey: number }): FairQueue {
  const running = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let all = 0

  const hasRoom = (key: string) => all < total && (running.get(key) ?? 0) < perKey

  function take(key: string): () => void {
    all += 1
    running.set(key, (running.get(key) ?? 0) + 1)
    return () => {
      all -= 1
      const left = (running.get(key) ?? 1) - 1
      if (left > 0) running.set(key, left)
      else running.delete(key)
      for (const next of waiting) {
        if (!hasRoom(next.key)) continue
        next.admit()
        return
      }
    }
  }

  return {
    enter(key, signal) {
      if (signal.aborted) return Promise.resolve(undefined)
      if (hasRoom(key)) return Promise.resolve(take(key))
      return new Promise((resolve) => {
        const left = () => {
          waiting.delete(entry)
          resolve(undefined)
        }
        const entry = {
          key,
          admit() {
            waiting.delete(entry)
            signal.removeEventListener('abort', left)
            resolve(take(key))
          },
        }
        waiting.add(entry)
        signal.addEventListener('abort', left, { once: true })
      })
    },
  }
}
