import type { Watched } from './watchdog-worker.ts'

/** The thread does not keep the process alive; Bun's option, which the web's types do not have. */
const unreferenced = { ref: false } as WorkerOptions

const checkMs = 1_000

/**
 * Ends this process with the code 1, and a line in the log with the event `process_stuck`, when its main thread serves
 * nothing for `timeoutMs`: whoever supervises it starts it again. Another thread counts only while it runs itself, so
 * that a process that was paused is not ended.
 * @param everyMs how often it is looked at
 */
export function watchMainThread(timeoutMs: number, everyMs = checkMs): { stop(): void } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url).href, unreferenced)
  worker.postMessage({ beats, everyMs, timeoutMs } satisfies Watched)
  const timer = setInterval(() => Atomics.add(beats, 0, 1), everyMs / 2)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      worker.terminate()
    },
  }
}
