import type { Database } from '../../db/client.ts'
import type { TextEvent, TextListener } from '../../language-model/reasoning.ts'

/** Who asks for the work: until when, and whether the text is heard while it is written. */
export interface Asking {
  signal: AbortSignal
  onText?: TextListener | undefined
}

/** Work that is done once for everyone who asked for it. */
interface Shared<T> {
  response: Promise<T>
  controller: AbortController
  waiting: number
  /** What was told so far of the text that counts. */
  told: TextEvent[]
  listeners: Set<TextListener>
}

function start<T>(work: (heard: Asking) => Promise<T>, streams: boolean): Shared<T> {
  const controller = new AbortController()
  const told: TextEvent[] = []
  const listeners = new Set<TextListener>()
  const onText: TextListener = (event) => {
    // Who joins later has heard nothing that would have to be taken back.
    if (event.type === 'restart') told.length = 0
    else told.push(event)
    for (const listen of listeners) listen(event)
  }
  const response = work({ signal: controller.signal, onText: streams ? onText : undefined })
  return { response, controller, waiting: 0, told, listeners }
}

/**
 * Makes a function that runs work, or joins the same work, by its key, that already runs in this process on the same
 * database: everyone gets its one result. Those who join while it streams hear the text from its beginning. The work's
 * signal aborts when everyone who waits has gone away.
 */
export function joining<T>() {
  const underWay = new WeakMap<Database, Map<string, Shared<T>>>()

  return async (
    db: Database,
    key: string,
    { signal, onText }: Asking,
    work: (heard: Asking) => Promise<T>,
  ): Promise<T> => {
    const running = underWay.get(db) ?? new Map<string, Shared<T>>()
    underWay.set(db, running)
    let shared = running.get(key)
    if (!shared || shared.controller.signal.aborted) {
      const started = start(work, onText !== undefined)
      running.set(key, started)
      const forget = () => {
        if (running.get(key) === started) running.delete(key)
      }
      started.response.then(forget, forget)
      shared = started
    }
    const { response, controller, told, listeners } = shared
    const joined = shared
    if (onText) {
      for (const event of told) onText(event)
      listeners.add(onText)
    }
    joined.waiting++
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
