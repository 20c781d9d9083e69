import { readFileSync } from 'node:fs'

/** What a contender answers when its parent asks: processor time since its start in microseconds, memory in bytes. */
export interface Usage {
  cpu: number
  /** Of `cpu`, what the main thread took; 0 where the system does not tell. */
  mainCpu: number
  rss: number
}

/** Linux counts nanoseconds of each thread. */
function mainThreadCpu(): number {
  try {
    const [ran = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(ran) / 1000
  } catch {
    return 0
  }
}

/** Tells the parent process the port that a contender listens on, answers its questions, and ends with it. */
export function answerParent(port: number): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const usage: Usage = { cpu: user + system, mainCpu: mainThreadCpu(), rss: process.memoryUsage.rss() }
    process.send?.(usage)
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}

/** The database URL that the parent gave. */
export function databaseUrl(): string {
  const url = process.argv[2]
  if (url === undefined) throw new Error('The database URL is missing')
  return url
}
