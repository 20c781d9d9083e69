import { isUnreachable } from '../../../db/unreachable.ts'
import { callValues } from '../../mapping/variables.ts'
import { type Called, type Line, lineOf, nobody } from '../conversation/line.ts'
import type { PlatformObject, PlatformStore } from '../store/store.ts'
import type { CallStore } from './store.ts'

interface Parts {
  store: PlatformStore
  calls: Pick<CallStore, 'takeAbandoned'>
  /** Ends a call as one whose worker died. */
  finish: (call: PlatformObject, line: Line) => Promise<unknown>
  /** Hears why a call could not be ended. */
  failed: (error: unknown, callId: string) => void
}

/**
 * Ends the calls that a killed process left, so that each has a last message; `all`: no other process can run one.
 * Returns how many it ended: one that cannot be ended keeps no other from it. Rejects while the database is away.
 */
export async function endAbandoned({ store, calls, finish, failed }: Parts, all: boolean): Promise<number> {
  let ended = 0
  for (const call of await calls.takeAbandoned(all)) {
    const { assistantId, squadId, phoneNumberId } = call.body as Called
    const called = { assistantId, squadId, phoneNumberId }
    try {
      const values = callValues(call.createdAt, undefined)
      const line = await lineOf({ store, values }, called).catch(() => nobody)
      await finish(call, line)
      ended += 1
    } catch (error) {
      if (isUnreachable(error)) throw error
      failed(error, call.id)
    }
  }
  return ended
}
