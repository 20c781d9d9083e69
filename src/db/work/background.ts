import type { WorkKind } from './poller.ts'

/** Work that goes on beside requests. */
export interface BackgroundPart {
  /**
   * Before the work begins. `alone`: no other process can be at work on this database, so what the last one claimed
   * need not run out first.
   */
  prepare?(alone: boolean): unknown
  /** What is looked for in the database. */
  work?: WorkKind
  /** Work that keeps its own time. */
  start?(): unknown
  /** Ends what runs; what is not done is left to the next start. */
  stop(): unknown
}

interface Looking {
  start(): void
  stop(): Promise<void>
}

/**
 * Prepares the parts in order, each by `prepare`, and starts them, then begins to look for work; resolves with what
 * stops them all. When one cannot start, those before it are stopped again.
 */
export async function startBackground(
  parts: readonly BackgroundPart[],
  poller: Looking,
  prepare: (part: BackgroundPart) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const running: BackgroundPart[] = []
  const stop = async () => {
    const looked = poller.stop()
    await Promise.all(running.map((part) => part.stop()))
    await looked
  }
  try {
    for (const part of parts) {
      running.push(part)
      await prepare(part)
      await part.start?.()
    }
    poller.start()
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
