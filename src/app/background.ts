/** Work that goes on beside requests. */
export interface BackgroundPart {
  /** `alone`: no other process can be at work on this database, so what the last one left need not run out first. */
  start(alone: boolean): unknown
  stop(): unknown
}

/**
 * Starts the parts in order, each by `start`; resolves once all run, with what stops them. When one cannot start, those
 * before it are stopped again.
 */
export async function startBackground(
  parts: readonly BackgroundPart[],
  start: (part: BackgroundPart) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const running: BackgroundPart[] = []
  const stop = async () => {
    await Promise.all(running.map((part) => part.stop()))
  }
  try {
    for (const part of parts) {
      running.push(part)
      await start(part)
    }
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
