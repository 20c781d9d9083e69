import { AsyncLocalStorage } from 'node:async_hooks'
import { createRandom, type Random } from '../../torture/random.ts'

/** Who does something: what is random about it is its own, so that leaving out one actor disturbs the others little. */
export interface Actor {
  name: string
  random: Random
}

/** What runs an event belongs to; one that is dead runs nothing any more. */
export interface Owner {
  readonly alive: boolean
  /** Until when everything of it stands still, in simulated milliseconds. */
  readonly pausedUntil: number
  /** Told before each event of it; it may end then. */
  before?(what: string): void
}

interface Event {
  at: number
  order: number
  what: string
  owner: Owner | undefined
  actor: Actor
  run(): unknown
  cancelled: boolean
}

/** Simulated time, and everything that is still to happen. One thing happens at a time. */
export interface World {
  /** Milliseconds since the start. */
  now(): number
  date(): Date
  /** The chance of whoever acts right now. */
  random(): Random
  actor(): Actor
  /** Runs `work` as `actor`: whatever comes of it is the actor's. */
  as<T>(actor: Actor, work: () => T): T
  /**
   * Has `run` happen in `ms`; returns what takes that back. Nothing else happens until what it returns has settled: a
   * statement of the real database, and nothing that needs the world to go on.
   */
  schedule(what: string, ms: number, run: () => unknown, owner?: Owner): () => void
  /** Writes a line into the trace. */
  note(line: string): void
  /** Lets things happen until `done`, for `maxMs` of simulated time at most. Returns whether it was done. */
  run(done: () => boolean, maxMs: number): Promise<boolean>
  /** A digest of all that happened, and how much did. */
  digest(): string
  readonly steps: number
  readonly lines: readonly string[]
}

const start = Date.parse('2030-01-01T00:00:00.000Z')
const maxLines = 400

/** A binary heap by time, then by the order of scheduling. */
function createHeap() {
  const heap: Event[] = []
  const before = (one: Event, other: Event) => (one.at === other.at ? one.order < other.order : one.at < other.at)
  const swap = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]]
    if (a && b) [heap[one], heap[other]] = [b, a]
  }
  const isBefore = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]]
    return a !== undefined && b !== undefined && before(a, b)
  }
  return {
    push(event: Event) {
      let at = heap.push(event) - 1
      while (at > 0 && isBefore(at, (at - 1) >> 1)) {
        swap(at, (at - 1) >> 1)
        at = (at - 1) >> 1
      }
    },
    pop(): Event | undefined {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        const least = isBefore(left + 1, left) ? left + 1 : left
        if (!isBefore(least, at)) return first
        swap(least, at)
        at = least
      }
    },
  }
}

/** Lets go on what waits for what just happened: promises alone, as nothing here waits for the machine. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Makes a world that `seed` decides; `keep` keeps the whole trace rather than its end. */
export function createWorld(seed: number, keep = false): World {
  const events = createHeap()
  const actors = new AsyncLocalStorage<Actor>()
  const nature: Actor = { name: 'world', random: createRandom(seed) }
  const lines: string[] = []
  let now = 0
  let order = 0
  let steps = 0
  let digest = 0n

  const actor = () => actors.getStore() ?? nature
  const note = (line: string) => {
    const text = `${now.toFixed(2)} ${line}`
    digest = Bun.hash.wyhash(text, digest)
    lines.push(text)
    if (!keep && lines.length > 2 * maxLines) lines.splice(0, maxLines)
  }

  const happen = async (event: Event) => {
    const { owner } = event
    const isDead = () => owner?.alive === false
    if (event.cancelled || isDead()) return
    if ((owner?.pausedUntil ?? 0) <= now) owner?.before?.(event.what)
    if (isDead()) return
    if (owner && owner.pausedUntil > now) {
      events.push({ ...event, at: owner.pausedUntil, order: order++ })
      return
    }
    steps += 1
    note(event.what)
    await actors.run(event.actor, async () => event.run())
    await settled()
  }

  return {
    now: () => now,
    date: () => new Date(start + now),
    random: () => actor().random,
    actor,
    as: (who, work) => actors.run(who, work),
    note,
    schedule(what, ms, run, owner) {
      const event: Event = {
        at: now + Math.max(0, ms),
        order: order++,
        what,
        owner,
        actor: actor(),
        run,
        cancelled: false,
      }
      events.push(event)
      return () => {
        event.cancelled = true
      }
    },
    async run(done, maxMs) {
      const until = now + maxMs
      await settled()
      while (!done()) {
        const event = events.pop()
        if (!event) return false
        if (event.at > until) {
          events.push(event)
          now = until
          return done()
        }
        now = Math.max(now, event.at)
        await happen(event)
      }
      return true
    },
    digest: () => digest.toString(16),
    get steps() {
      return steps
    },
    lines,
  }
}
