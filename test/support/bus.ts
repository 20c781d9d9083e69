import type { Broadcast, Hear } from '../../src/broadcast/broadcast.ts'

/** A broadcast within this process, which is heard at once. */
export function testBus() {
  const ears = new Map<Broadcast, Hear>()
  return {
    join(): Broadcast {
      const own: Broadcast = {
        async tell(topic, about) {
          for (const [other, hear] of ears) if (other !== own) hear(topic, about)
        },
        async start(hear) {
          ears.set(own, hear)
        },
        hears: () => true,
        async close() {
          ears.delete(own)
        },
      }
      return own
    },
  }
}
