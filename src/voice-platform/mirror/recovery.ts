import type { Logger } from 'pino'
import type { Journal } from './journal/journal.ts'
import type { Reconcile } from './reconcile.ts'

/** Rows that are looked at at once: a platform that hangs on one does not hold up the others. */
const maxAtWork = 8

interface RecoveryOptions {
  journal: Journal
  reconcile: Reconcile
  log: Logger
  /** How often due rows are looked for. */
  everyMs: number
}

/** Looks for journal rows that are due, and has them reconciled. */
export function createRecovery({ journal, reconcile, log, everyMs }: RecoveryOptions) {
  const atWork = new Set<Promise<void>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  /** Works on one due row after the other; whoever finds one lets another look for more. */
  const work = async () => {
    try {
      while (!stopped && (await journal.recoverNext(reconcile, wake)));
    } catch (error) {
      log.warn({ err: error }, 'looking for unfinished live writes failed')
    }
  }

  const wake = () => {
    if (stopped || atWork.size >= maxAtWork) return
    const worker = work().finally(() => atWork.delete(worker))
    atWork.add(worker)
  }

  /** Resolves when nothing is due and nobody at work any more. */
  const sweep = async () => {
    wake()
    while (atWork.size > 0) await Promise.all(atWork)
  }

  return {
    wake: () => void setTimeout(wake, 0),
    sweep,
    start() {
      const tick = () => {
        wake()
        if (!stopped) timer = setTimeout(tick, everyMs)
      }
      tick()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.all(atWork)
    },
  }
}
