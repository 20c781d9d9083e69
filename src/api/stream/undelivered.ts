import type { Outcome } from '../context.ts'

/** Has `notify` called when the caller has gone by the time the response would be sent, beside those of other calls. */
export function whenUndelivered(outcome: Outcome, notify: () => Promise<void>): void {
  outcome.undelivered = [...(outcome.undelivered ?? []), notify]
}

/** Tells every call of a request that its response did not reach the caller. */
export async function notifyUndelivered({ undelivered = [] }: Outcome): Promise<void> {
  await Promise.all(undelivered.map((notify) => notify()))
}
