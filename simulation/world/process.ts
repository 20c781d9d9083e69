import type { Timers } from '../../src/runtime/timers.ts'
import type { Owner, World } from './world.ts'

/** Hearing of a response, and sending a request that was decided on before. */
export type Step = 'hears' | 'sends'

/** A simulated process: what it waits for never comes any more once it was killed. */
export interface Process extends Owner {
  readonly name: string
  readonly timers: Timers
  /** Has everything of it stand still for `ms`, as a machine does that swaps or is moved. */
  pause(ms: number): void
  /** Ends it in the middle of whatever it does. */
  kill(): void
  /** Has `run` called just before its `count`th step of these kinds from now on: any await is as likely as another. */
  atStep(count: number, run: () => void, steps?: readonly Step[]): void
  /** Called when it is killed. */
  onKill(run: () => void): void
}

/** Starts a process in the world. */
export function createProcess(world: World, name: string): Process {
  let alive = true
  let pausedUntil = 0
  const ends: (() => void)[] = []
  let left = 0
  let due = () => {}
  let waitedFor: readonly string[] = []

  const process: Process = {
    name,
    get alive() {
      return alive
    },
    get pausedUntil() {
      return pausedUntil
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, world.now() + ms)
    },
    kill() {
      alive = false
      for (const end of ends) end()
    },
    onKill: (run) => void ends.push(run),
    atStep(count, run, steps = ['hears', 'sends']) {
      left = count
      waitedFor = steps.map((step) => `${name} ${step}`)
      due = run
    },
    before(what) {
      if (left === 0 || !waitedFor.some((step) => what.startsWith(step))) return
      left -= 1
      if (left === 0) due()
    },
    timers: {
      now: world.now,
      after: (ms, run) => world.schedule(`${name} timer`, ms, run, process),
      every(ms, run) {
        let cancel = () => {}
        const again = () => {
          cancel = world.schedule(`${name} tick`, ms, tick, process)
        }
        const tick = () => {
          again()
          run()
        }
        again()
        return () => cancel()
      },
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted) return resolve()
          const cancel = world.schedule(`${name} wakes`, ms, resolve, process)
          const wake = () => {
            cancel()
            resolve()
          }
          signal?.addEventListener('abort', wake, { once: true })
        }),
      chance: () => world.random().next(),
    },
  }
  return process
}
