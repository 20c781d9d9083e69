/** Does work; what it gives, and how often others had the thread meanwhile. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  let isWorking = true
  const nextTurn = () => {
    turns++
    if (isWorking) setImmediate(nextTurn)
  }
  setImmediate(nextTurn)
  try {
    const result = await work()
    return { result, turns }
  } finally {
    isWorking = false
  }
}
