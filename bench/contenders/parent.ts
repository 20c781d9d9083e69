/** What a contender answers when its parent asks: processor time since its start in microseconds, memory in bytes. */
export interface Usage {
  cpu: number
  rss: number
}

/** Tells the parent process the port that a contender listens on, answers its questions, and ends with it. */
export function answerParent(port: number): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() } satisfies Usage)
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
