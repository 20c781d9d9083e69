import type { ToolSet } from 'ai'
import type { AgentRef } from './knowledge.ts'

/** The tools of one turn; close them when it ends. */
export interface OpenTools {
  /** By the name on the wire. */
  tools: ToolSet
  /** The tool's own name, for `tools_used`. */
  nameOf(wireName: string): string
  close(): Promise<void>
}

/** The external tools that an agent may call. */
export interface Toolbox {
  /** A tool server that cannot be reached is left out, never a failed turn. */
  open(agent: AgentRef, signal: AbortSignal): Promise<OpenTools>
}
