import { answered } from './messages.ts'

/** What a server does, step by step, and the step at which it dies. */
export interface Steps {
  /** Until the next response steps are noted, and the server dies at this one. */
  arm(killAt?: string): void
  /**
   * The server is about to do this. A step's name says which of its kind it is, as what time does meanwhile shifts mere
   * numbers.
   */
  step(kind: string): void
  /** The steps since it was armed. */
  taken(): string[]
}

/** `die` ends the server; whatever it throws goes to the code that is about to take the step. */
export function createSteps(die: (step: string) => void): Steps {
  let armed = false
  let killAt: string | undefined
  let steps: string[] = []
  const times = new Map<string, number>()
  return {
    arm(name) {
      steps = []
      times.clear()
      killAt = name
      armed = true
    },
    step(kind) {
      if (!armed) return
      const time = (times.get(kind) ?? 0) + 1
      times.set(kind, time)
      const name = `${kind} (${time})`
      steps.push(name)
      armed = kind !== answered
      if (name === killAt) die(name)
    },
    taken: () => steps,
  }
}
