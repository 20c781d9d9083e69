import { createThreadShare } from '../../../runtime/thread-share.ts'

const thread = createThreadShare(1)

/**
 * Waits until the next part of a call may be worked on, of all calls one in a turn of the event loop: an assistant that
 * is read, prepared or shown, or a line of the caller.
 */
export const nextPart = (): Promise<void> => thread(1)
