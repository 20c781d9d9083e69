/** Prints how far long work is. */
export interface Progress {
  /** `count` more of `what` are done. */
  note(what: string, count: number): void
  /** Prints the last count. */
  end(): void
}

const everyMs = 5_000

/** Prints a line when something else begins, and every five seconds. `now` is in milliseconds. */
export function createProgress(say: (line: string) => void, now: () => number): Progress {
  let what = ''
  let done = 0
  let printedAt = now()
  const print = () => {
    if (done > 0) say(`${what}: ${done}`)
    printedAt = now()
  }
  return {
    note(next, count) {
      if (next !== what) {
        print()
        what = next
        done = 0
      }
      done += count
      if (now() - printedAt >= everyMs) print()
    },
    end: print,
  }
}

/** Prints nothing. */
export const noProgress: Progress = { note() {}, end() {} }
