const endings = new Set<() => Promise<unknown>>()

/** Notes how something that was started is ended; returns that, which ends it once, however often it is called. */
export function ending(end: () => Promise<unknown>): () => Promise<void> {
  let ended: Promise<unknown> | undefined
  const once = async () => {
    endings.delete(once)
    ended ??= end()
    await ended
  }
  endings.add(once)
  return once
}

/** Ends everything that was started, when the run is broken off. */
export async function endAll(): Promise<void> {
  await Promise.allSettled([...endings].map((end) => end()))
}
