/** A signal ended the start before it was done. */
export class StartStoppedError extends Error {
  override readonly name = 'StartStoppedError'

  constructor() {
    super('The start was stopped.')
  }
}

const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const

type StopSignal = keyof typeof exitCodes

/** The signals that stop a server, heard from the first on. */
export interface StopSignals {
  /** Aborted, with a StartStoppedError, by one that comes before the start is done. */
  readonly starting: AbortSignal
  /** Has `stop` hear of each from now on, and of one that has come already. */
  startDone(stop: (signal: StopSignal) => void): void
}

/** A terminal sends Ctrl+C to a whole group of processes, and a runner passes it on once more. */
const sameMs = 500

/**
 * Listens for the signals that stop a server. Without a listener the kernel gives none to the first process of a
 * container. A second one during a start ends the process at once.
 */
export function listenForStop(
  events: Pick<NodeJS.EventEmitter, 'on'> = process,
  end: (code: number) => void = process.exit,
  now: () => number = () => performance.now(),
): StopSignals {
  const starting = new AbortController()
  let received: StopSignal | undefined
  let receivedAt = 0
  let stop: ((signal: StopSignal) => void) | undefined
  const hear = (signal: StopSignal) => {
    if (received === signal && now() - receivedAt < sameMs) return
    if (received && !stop) return end(exitCodes[signal])
    received = signal
    receivedAt = now()
    if (stop) return stop(signal)
    starting.abort(new StartStoppedError())
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) events.on(signal, () => hear(signal))
  return {
    starting: starting.signal,
    startDone(listener) {
      stop = listener
      if (received) listener(received)
    },
  }
}
