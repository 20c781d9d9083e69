import type { Database } from '../../db/client.ts'
import type { TakenTurn } from './store.ts'

/** A turn that runs for everyone who asked for it. */
interface SharedTurn {
  response: Promise<TakenTurn>
  controller: AbortController
  waiting: number
}

const underWay = new WeakMap<Database, Map<string, SharedTurn>>()

/**
 * Runs a turn, or joins the one that already runs under `key` in this process: a client that gave up and sent the same
 * message again gets the first one's response. The turn's signal aborts when everyone who waits has gone away.
 */
export async function joinOrRun(
  db: Database,
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<TakenTurn>,
): Promise<TakenTurn> {
  const turns = underWay.get(db) ?? new Map<string, SharedTurn>()
  underWay.set(db, turns)
  let shared = turns.get(key)
  if (!shared || shared.controller.signal.aborted) {
    const controller = new AbortController()
    const started: SharedTurn = { response: work(controller.signal), controller, waiting: 0 }
    turns.set(key, started)
    const forget = () => {
      if (turns.get(key) === started) turns.delete(key)
    }
    started.response.then(forget, forget)
    shared = started
  }
  const { response, controller } = shared
  const joined = shared
  joined.waiting++
  const leave = () => {
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
