const cleanups: (() => Promise<unknown>)[] = []

/** Has something ended or removed when the run is over, however it ends; the last one first. */
export const atTheEnd = (cleanup: () => Promise<unknown>): void => void cleanups.push(cleanup)

/** Ends and removes all of it. */
export async function cleanUp(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup()
}
