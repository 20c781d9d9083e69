import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late timers of a server came, in milliseconds. */
export interface Delays {
  p50: number
  p99: number
  longest: number
  /** How many timers. */
  count: number
}

// Loaded into the server that is measured, which says at each signal what came late since the last one.
const everyMs = 2
const delays = monitorEventLoopDelay({ resolution: everyMs })
delays.enable()
const milliseconds = (nanoseconds: number) => nanoseconds / 1e6
process.on('SIGUSR2', () => {
  const { count, max } = delays
  const of = (share: number) => milliseconds(delays.percentile(share))
  const seen: Delays = { p50: of(50), p99: of(99), longest: milliseconds(max), count }
  writeFileSync(String(process.env.DELAYS_FILE), JSON.stringify(seen))
  delays.reset()
})
