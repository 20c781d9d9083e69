import { purgeIdempotencyKeys } from '../api/idempotency/replay.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import { purgeToolCreations } from '../resources/catalogue/tool-remote.ts'
import { purgeConversations } from '../resources/conversations/record.ts'
import { purgeDeliveries } from '../webhooks/queue.ts'
import type { Dependencies } from './dependencies.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs

/** Drops what has run out, at once and again and again. */
export function housekeeping({ db, clock, log, settings }: Dependencies): BackgroundPart {
  const timers: ReturnType<typeof setInterval>[] = []
  const repeat = (everyMs: number, sweep: () => Promise<unknown>) => {
    const run = () => void sweep().catch((error) => log.warn({ err: error }, 'housekeeping failed'))
    run()
    timers.push(setInterval(run, everyMs))
  }
  return {
    start() {
      repeat(hourMs, () => purgeIdempotencyKeys(db, clock.now()))
      repeat(hourMs, () => purgeDeliveries(db))
      repeat(hourMs, () => purgeToolCreations(db))
      repeat(hourMs, () => purgeConversations(db, settings.conversationDays))
    },
    stop() {
      timers.forEach(clearInterval)
    },
  }
}
