import { setTimeout as wait } from 'node:timers/promises'

/** Waits `ms` milliseconds, or until the signal aborts; never rejects. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

/** The real waiting; tests inject one that follows their own clock. */
export const sleep: Sleep = (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined)
