interface Waiting<Request, Result> {
  request: Request
  /** How much work will have been done when it is due: what was done when it came, and its own size. */
  due: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Works on requests one at a time, the shortest first, with aging: a request is due once as much work was done since it
 * came as it takes itself. So a small one never waits for many large ones, and a large one not for ever for small ones.
 * @param sizeOf how much work a request is, in any unit
 * @param work what it throws is thrown to the caller
 */
export function shortestFirst<Request, Result>(
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
