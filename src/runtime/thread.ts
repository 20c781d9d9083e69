declare const self: Worker

interface Asked<Request> {
  id: number
  request: Request
}
type Reply<Result> = { id: number; result: Result } | { id: number; error: string }

/** A thread beside the one that serves, for work that would hold that one. */
export interface Thread<Request, Result> {
  /** How many requests wait for their result. */
  readonly load: number
  /** Sends a request, which is copied. Throws what the work threw, as a text, or that the thread ended. */
  ask(request: Request): Promise<Result>
  close(): void
}

/** The thread does not keep the process alive; Bun's option, which the web's types do not have. */
const unreferenced = { ref: false } as WorkerOptions

/**
 * A thread that runs `module`, which calls `serveThread`; it starts at its first request, and again after it failed.
 * @param name says in errors which one failed
 */
export function createThread<Request, Result>(name: string, module: URL): Thread<Request, Result> {
  let worker: Worker | undefined
  let next = 0
  const waiting = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>()

  const end = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    worker?.terminate()
    worker = undefined
  }

  const started = (): Worker => {
    if (worker) return worker
    worker = new Worker(module.href, unreferenced)
    worker.onmessage = ({ data }: MessageEvent<Reply<Result>>) => {
      const pending = waiting.get(data.id)
      waiting.delete(data.id)
      if ('result' in data) pending?.resolve(data.result)
      else pending?.reject(new Error(data.error))
    }
    worker.onerror = ({ message }) => end(new Error(`The ${name} failed: ${message}`))
    return worker
  }

  return {
    get load() {
      return waiting.size
    },
    ask: (request) =>
      new Promise((resolve, reject) => {
        const asked: Asked<Request> = { id: next++, request }
        waiting.set(asked.id, { resolve, reject })
        started().postMessage(asked)
      }),
    close: () => end(new Error(`The ${name} was closed`)),
  }
}

/** Does the work of a thread: called once, in its module. */
export function serveThread<Request, Result>(work: (request: Request) => Result | Promise<Result>): void {
  self.onmessage = async ({ data: { id, request } }: MessageEvent<Asked<Request>>) => {
    let reply: Reply<Result>
    try {
      reply = { id, result: await work(request) }
    } catch (error) {
      reply = { id, error: error instanceof Error ? error.message : String(error) }
    }
    self.postMessage(reply)
  }
}
