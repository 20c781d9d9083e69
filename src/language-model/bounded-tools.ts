import type { ToolSet } from 'ai'

/** Settles like `work`, or rejects with the reason of `signal`, whichever comes first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Tools that end when their time is over. The SDK only signals that it is, and would wait for ever for a tool that
 * does not listen.
 */
export function boundedTools(tools: ToolSet): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool
    if (!execute) return [name, tool]
    const bounded: typeof execute = (input, options) =>
      unlessAborted(Promise.resolve(execute(input, options)), options.abortSignal)
    return [name, { ...tool, execute: bounded }]
  })
  return Object.fromEntries(entries)
}
