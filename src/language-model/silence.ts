import { AsyncLocalStorage } from 'node:async_hooks'
import { systemTimers, type Timers } from '../runtime/timers.ts'
import { GenerationFailedError } from './failure.ts'

/** What ends a stream that has gone silent. */
export interface Silence {
  /** Aborts, with a GenerationFailedError, after `ms` in which nothing was heard. */
  signal: AbortSignal
  /** Something came: the time begins anew. */
  hear(): void
  /** The stream is over. */
  end(): void
}

const listeners = new AsyncLocalStorage<() => void>()

/** Runs `work`; whatever a server sends for it, if only a comment that keeps its connection, calls `hear`. */
export const listeningDuring = <T>(hear: () => void, work: () => Promise<T>): Promise<T> => listeners.run(hear, work)

/** What is to be called for each piece that comes of a response to what is asked for now. */
export const currentListener = (): (() => void) => listeners.getStore() ?? (() => {})

/** Begins to listen to a stream that may be silent for `ms` milliseconds at a time. */
export function boundedSilence(ms: number, { after }: Pick<Timers, 'after'> = systemTimers): Silence {
  const silent = new AbortController()
  const wait = () => after(ms, () => silent.abort(new GenerationFailedError('took too long')))
  let cancel = wait()
  let isOver = false
  return {
    signal: silent.signal,
    hear() {
      // What was read ahead may come after its end.
      if (isOver) return
      cancel()
      cancel = wait()
    },
    end() {
      isOver = true
      cancel()
    },
  }
}
