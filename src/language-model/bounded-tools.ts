import type { ToolSet } from 'ai'
import { unlessAborted } from '../runtime/deadline.ts'

/**
 * Tools that end when their time is over. The SDK only signals that it is, and would wait for ever for a tool that
 * does not listen.
 */
export function boundedTools(tools: ToolSet): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool
    if (!execute) return [name, tool]
    const bounded: typeof execute = (input, options) => {
      const work = Promise.resolve(execute(input, options))
      return options.abortSignal ? unlessAborted(work, options.abortSignal) : work
    }
    return [name, { ...tool, execute: bounded }]
  })
  return Object.fromEntries(entries)
}
