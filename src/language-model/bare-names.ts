import type { OpenTools } from './toolbox.ts'

/** A tool's own name in the signs that models take. */
const plain = (name: string) => name.replace(/[^A-Za-z0-9_-]+/g, '_')

/**
 * Finds the tool that a model calls by its own name alone, without what stands before it on the wire. The call is left as it is
 * where no tool has that name, or several have.
 */
export const callByBareName =
  ({ tools, nameOf }: OpenTools) =>
  async <Call extends { toolName: string }>({ toolCall }: { toolCall: Call }): Promise<Call | null> => {
    const wanted = plain(toolCall.toolName)
    const [found, ...others] = Object.keys(tools).filter((wire) => plain(nameOf(wire)) === wanted)
    return found === undefined || others.length > 0 ? null : { ...toolCall, toolName: found }
  }
