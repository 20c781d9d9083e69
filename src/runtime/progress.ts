/** Tells people how far long work is. */
export interface Progress {
  /** `count` more of `what` are done. */
  note(what: string, count: number): void
  /** Says the last count. */
  end(): void
}

const everyMs = 5_000

/** Says a line when something else begins, and every five seconds. */
export function createProgress(say: (line: string) => void, now: () => number): Progress {
  let what = ''
  let done = 0
  let saidAt = now()
  const tell = () => {
    if (done > 0) say(`${what}: ${done}`)
    saidAt = now()
  }
  return {
    note(next, count) {
      if (next !== what) {
        tell()
        what = next
        done = 0
      }
      done += count
      if (now() - saidAt >= everyMs) tell()
    },
    end: tell,
  }
}

/** Says nothing. */
export const noProgress: Progress = { note() {}, end() {} }
