import { readFileSync } from 'node:fs'

/** What some work cost this process. */
export interface Watched {
  /** Of processor time. */
  milliseconds: number
  /** Of processor time between two moments at which others could have had the thread. */
  longest: number
  /** What the process is larger afterwards. */
  megabytes: number
}

const ofProcess = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of processor time of the thread alone; of the process where the system does not tell. */
const ofThread = () => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return ofProcess()
  }
}

/** Watches the thread while something is done. Processor time, not the clock: a busy machine moves it little. */
export async function watched(work: () => Promise<unknown>): Promise<Watched> {
  Bun.gc(true)
  const memory = process.memoryUsage().rss
  let longest = 0
  let last = ofThread()
  let watching = true
  const look = () => {
    const now = ofThread()
    longest = Math.max(longest, now - last)
    last = now
    if (watching) setTimeout(look, 1)
  }
  const started = ofProcess()
  look()
  await work()
  watching = false
  const milliseconds = ofProcess() - started
  Bun.gc(true)
  return { milliseconds, longest, megabytes: Math.max(0, process.memoryUsage().rss - memory) / 1_000_000 }
}
