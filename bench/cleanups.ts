const cleanups: (() => Promise<unknown>)[] = []

/**
 * Has something ended or removed when the run is over, however it ends; the last one first. At once when it is over.
 */
export function atTheEnd(cleanup: () => Promise<unknown>): void {
  if (ending) void cleanup()
  else cleanups.push(cleanup)
}

let ending: Promise<void> | undefined

async function endAll(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup()
}

/** Ends and removes all of it, once: whoever calls later waits for the same end. */
export function cleanUp(): Promise<void> {
  ending ??= endAll()
  return ending
}
