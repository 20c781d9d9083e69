import type { Broadcast, BroadcastListener } from '../../src/broadcast/broadcast.ts'

/** A broadcast within this process, whose messages arrive at once. */
export function testBus() {
  const listeners = new Map<Broadcast, BroadcastListener>()
  return {
    join(): Broadcast {
      const own: Broadcast = {
        async publish(topic, subject) {
          for (const [other, listener] of listeners) if (other !== own) listener(topic, subject)
        },
        async subscribe(listener) {
          listeners.set(own, listener)
        },
        isListening: () => true,
        async close() {
          listeners.delete(own)
        },
      }
      return own
    },
  }
}
