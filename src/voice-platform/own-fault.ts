import { isDatabaseFault, isOutOfRoom, isUnreachable } from '../db/unreachable.ts'
import { OwnFault, PlatformError } from './errors.ts'

/**
 * The error of a call that failed for a fault of this process; undefined of any other failure. What had no room in our
 * own database is certainly not done; of a connection that was lost nobody knows.
 */
export function errorOfOwnFault(failure: unknown): PlatformError | undefined {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof OwnFault)) continue
    if (isOutOfRoom(cause)) return new PlatformError('unavailable', 'The embedded platform has no room.', { cause })
    const status = isUnreachable(cause) ? undefined : 500
    return new PlatformError('unknown', 'The embedded platform failed to answer.', { status, cause })
  }
  return undefined
}

/** Whether our own database is what a call failed at. */
export const isOfOwnDatabase = ({ cause }: PlatformError): boolean =>
  cause instanceof OwnFault && isDatabaseFault(cause)
