import type { Broadcast } from './broadcast.ts'

/** After each message the others poll at least every five seconds for a while. */
const everyMs = 4_000

/** While there is work here, publishes every four seconds at most that some may be left should this process die. */
export function announceWork(
  here: { noteActivity(): void },
  broadcast: Pick<Broadcast, 'publish'>,
  now: () => number = () => performance.now(),
): { note(): void } {
  let publishedAt = Number.NEGATIVE_INFINITY
  return {
    note() {
      const at = now()
      if (at - publishedAt < everyMs) return
      publishedAt = at
      here.noteActivity()
      void broadcast.publish('work')
    },
  }
}
