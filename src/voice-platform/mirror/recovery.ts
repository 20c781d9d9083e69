import type { Journal } from './journal/journal.ts'
import type { Recover } from './recover.ts'

/** Rows that are looked at at once: a platform that hangs on one does not hold up the others. */
const maxAtWork = 8

/** Has journal rows that are due recovered, until none is. */
export function createRecovery({ journal, recover }: { journal: Journal; recover: Recover }) {
  const atWork = new Set<Promise<void>>()
  let stopped = false

  /** Works on one due row after the other; whoever finds one lets another look for more. */
  const look = () => {
    if (stopped || atWork.size >= maxAtWork) return
    const work = async () => {
      while (!stopped && (await journal.recoverNext(recover, look)));
    }
    const worker = work().finally(() => atWork.delete(worker))
    // What it meets is the caller's, who waits for all.
    worker.catch(() => {})
    atWork.add(worker)
  }

  return {
    async run(): Promise<void> {
      look()
      while (atWork.size > 0) await Promise.all(atWork)
    },
    async stop(): Promise<void> {
      stopped = true
      await Promise.allSettled(atWork)
    },
  }
}
