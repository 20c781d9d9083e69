/** Milliseconds of processor time that `work` takes: unlike the clock, the same on a busy machine. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
