const msSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Milliseconds of processor time that `work` takes: unlike the clock, the same on a busy machine. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return msSince(before)
}

/** The same of work that is waited for. */
export async function cpuMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return msSince(before)
}
