import type { Database } from '../../db/client.ts'
import type { TextEvent, TextListener } from '../../language-model/reasoning.ts'

/** A caller of shared work: until when it waits, and where its text goes while it is written. */
export interface Caller {
  signal: AbortSignal
  onText?: TextListener | undefined
}

/** Who work runs for. */
export interface Callers extends Caller {
  /** How many there ever were; no more come once the work is done. */
  count: () => number
}

/** Work that runs once for all its callers. */
interface Flight<T> {
  response: Promise<T>
  controller: AbortController
  waiting: number
  /** How many ever did. */
  joined: number
  /** What was sent so far of the text that counts. */
  sent: TextEvent[]
  listeners: Set<TextListener>
}

function start<T>(work: (callers: Callers) => Promise<T>, streams: boolean): Flight<T> {
  const controller = new AbortController()
  const sent: TextEvent[] = []
  const listeners = new Set<TextListener>()
  const onText: TextListener = (event) => {
    // Who joins later was sent nothing that would have to be taken back.
    if (event.type === 'restart') sent.length = 0
    else sent.push(event)
    for (const listen of listeners) listen(event)
  }
  const count = () => flight.joined
  const response = work({ signal: controller.signal, onText: streams ? onText : undefined, count })
  const flight: Flight<T> = { response, controller, waiting: 0, joined: 0, sent, listeners }
  return flight
}

/**
 * Makes a function that runs work, or joins the work with the same key that already runs in this process on the same
 * database: every caller gets its one result. Those who join while it streams get the text from its beginning. The
 * work's signal aborts when no caller waits any more.
 */
export function singleFlight<T>() {
  const flights = new WeakMap<Database, Map<string, Flight<T>>>()

  return async (
    db: Database,
    key: string,
    { signal, onText }: Caller,
    work: (callers: Callers) => Promise<T>,
  ): Promise<T> => {
    const running = flights.get(db) ?? new Map<string, Flight<T>>()
    flights.set(db, running)
    let flight = running.get(key)
    if (!flight || flight.controller.signal.aborted) {
      const started = start(work, onText !== undefined)
      running.set(key, started)
      const remove = () => {
        if (running.get(key) === started) running.delete(key)
      }
      started.response.then(remove, remove)
      flight = started
    }
    const joined = flight
    const { response, controller, sent, listeners } = joined
    if (onText) {
      for (const event of sent) onText(event)
      listeners.add(onText)
    }
    joined.waiting++
    joined.joined++
    const leave = () => {
      if (onText) listeners.delete(onText)
      joined.waiting--
      if (joined.waiting === 0) controller.abort()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    try {
      return await response
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}
