import type { Broadcast } from './broadcast.ts'

/** Others look for what is left at least every five seconds for a while after each word. */
const everyMs = 4_000

/** Tells the others now and then, while there is work here, that some may be left should this process die. */
export function announceWork(
  here: { stir(): void },
  broadcast: Pick<Broadcast, 'tell'>,
  now: () => number = () => performance.now(),
): { note(): void } {
  let announcedAt = Number.NEGATIVE_INFINITY
  return {
    note() {
      const at = now()
      if (at - announcedAt < everyMs) return
      announcedAt = at
      here.stir()
      void broadcast.tell('work')
    },
  }
}
