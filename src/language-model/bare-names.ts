import type { OpenTools } from './toolbox.ts'

/** A tool's own name in the signs that models take. */
const plain = (name: string) => name.replace(/[^A-Za-z0-9_-]+/g, '_')

/**
 * Finds the tool that a model calls by its own name alone, without what stands before it on the wire: the one of
 * exactly that name, else of that name in the signs that models take. The call is left as it is where no tool has it,
 * or several have.
 */
export const callByBareName =
  ({ tools, nameOf }: OpenTools) =>
  async <Call extends { toolName: string }>({ toolCall }: { toolCall: Call }): Promise<Call | null> => {
    const { toolName } = toolCall
    const wires = Object.keys(tools)
    const exact = wires.filter((wire) => nameOf(wire) === toolName)
    const alike = () => wires.filter((wire) => plain(nameOf(wire)) === plain(toolName))
    const [found, ...others] = exact.length > 0 ? exact : alike()
    return found === undefined || others.length > 0 ? null : { ...toolCall, toolName: found }
  }
