interface Waiting<Request, Result> {
  request: Request
  /** How much work was done when it would end, had it been begun at once. */
  due: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Has requests worked on one at a time, so that small ones do not wait for many large ones: each is due when as much was
 * done since it came as it takes itself. A large one waits for small ones that come later until then.
 * @param sizeOf how much work a request is, in any unit
 * @param work what a request fails with is thrown to who asked
 */
export function inTurnBySize<Request, Result>(
  sizeOf: (request: Request) => number,
  work: (request: Request) => Promise<Result>,
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = []
  let done = 0
  let isBusy = false

  const run = async () => {
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0) {
      const first = waiting.reduce(
        (least, other, at) => (other.due < (waiting[least]?.due ?? other.due) ? at : least),
        0,
      )
      for (const { request, resolve, reject } of waiting.splice(first, 1)) {
        await work(request).then(resolve, reject)
        done += sizeOf(request)
      }
    }
    isBusy = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, due: done + sizeOf(request), resolve, reject })
      void run()
    })
}
