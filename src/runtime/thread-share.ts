/** Waits until work of this size may have the thread. */
export type ThreadShare = (size: number) => Promise<void>

/**
 * Work that is done in parts, by any number of callers: so much of it at most, in all, before timers and sockets have
 * their turn. A part that is larger goes alone.
 */
export function createThreadShare(perTurn: number): ThreadShare {
  let used = 0
  let nextTurn: Promise<void> | undefined
  const turn = () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        used = 0
        nextTurn = undefined
        resolve()
      })
    })
  return async (size) => {
    while (used > 0 && used + size > perTurn) {
      nextTurn ??= turn()
      await nextTurn
    }
    used += size
  }
}
