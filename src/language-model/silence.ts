import { AsyncLocalStorage } from 'node:async_hooks'
import { createDeadline } from '../runtime/deadline.ts'
import { GenerationFailedError } from './failure.ts'

const listeners = new AsyncLocalStorage<() => void>()

/** Runs `work`; whatever a server sends for it, if only a comment that keeps its connection, calls `hear`. */
export const listeningDuring = <T>(hear: () => void, work: () => Promise<T>): Promise<T> => listeners.run(hear, work)

/** What is to be called for each piece that comes of a response to what is asked for now. */
export const currentListener = (): (() => void) => listeners.getStore() ?? (() => {})

/**
 * Begins to listen to a stream that may be silent for `ms` milliseconds at a time: its signal aborts, with a
 * GenerationFailedError, unless `restart` is called by then for what has come.
 */
export const boundedSilence = (ms: number) =>
  createDeadline(ms, { reason: () => new GenerationFailedError('took too long') })
