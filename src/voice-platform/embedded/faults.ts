import { setTimeout as wait } from 'node:timers/promises'

/** What goes wrong, and where. The first rule that fits a request is used, `times` times. */
export interface Fault {
  /** Any method when absent. */
  method?: string
  /** Tested against the path; any path when absent. */
  path?: RegExp
  /** How many requests it meets; 1 unless said. */
  times?: number
  /**
   * - `status`: responds with `status`, `body` and `headers`, without doing the work;
   * - `refuse`: fails like a refused connection;
   * - `drop_before`, `drop_after`: the connection is lost before, or after, the work was done;
   * - `timeout`: never responds; `delay`: works and responds after `ms`;
   * - `not_json`: does the work and responds with something unreadable.
   */
  mode: 'status' | 'refuse' | 'drop_before' | 'drop_after' | 'timeout' | 'delay' | 'not_json'
  status?: number
  body?: unknown
  headers?: Record<string, string>
  ms?: number
}

/** The faults that are still to come; tests add to it at any time. */
export interface Faults {
  add(...faults: Fault[]): void
  clear(): void
  /** The fault for this request, counted as used. */
  take(method: string, path: string): Fault | null
}

/** Makes a list of faults. */
export function createFaults(initial: Fault[] = []): Faults {
  let pending: { fault: Fault; left: number }[] = []
  const add = (...faults: Fault[]) => {
    for (const fault of faults) pending.push({ fault, left: fault.times ?? 1 })
  }
  add(...initial)
  return {
    add,
    clear() {
      pending = []
    },
    take(method, path) {
      const entry = pending.find(
        ({ fault }) => (!fault.method || fault.method === method) && (!fault.path || fault.path.test(path)),
      )
      if (!entry) return null
      entry.left -= 1
      if (entry.left <= 0) pending = pending.filter((other) => other !== entry)
      return entry.fault
    },
  }
}

/** A connection that broke, as `fetch` reports it; a server cuts the real connection instead of responding. */
class BrokenConnection extends TypeError {
  readonly code: 'ECONNRESET' | 'ECONNREFUSED'

  constructor(code: 'ECONNRESET' | 'ECONNREFUSED') {
    super(code)
    this.code = code
  }
}

/** Rejects when the signal aborts, and never otherwise. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * Does the work as the fault says. Throws {@link BrokenConnection}, or the signal's reason when the caller gives up.
 */
export async function withFault(
  fault: Fault | null,
  signal: AbortSignal,
  work: () => Promise<Response>,
): Promise<Response> {
  switch (fault?.mode) {
    case undefined:
      return work()
    case 'status':
      return typeof fault.body === 'string'
        ? new Response(fault.body, { status: fault.status ?? 500, headers: fault.headers })
        : Response.json(fault.body ?? {}, { status: fault.status ?? 500, headers: fault.headers })
    case 'refuse':
      throw new BrokenConnection('ECONNREFUSED')
    case 'drop_before':
      throw new BrokenConnection('ECONNRESET')
    case 'drop_after':
      await work()
      throw new BrokenConnection('ECONNRESET')
    case 'timeout':
      return never(signal)
    case 'delay':
      await wait(fault.ms ?? 0, undefined, { signal })
      return work()
    case 'not_json': {
      const { status } = await work()
      return new Response('<html>upstream</html>', { status, headers: { 'content-type': 'text/html' } })
    }
  }
}
