/** The agent that a turn or a search is for. */
export interface AgentRef {
  /** The internal id. */
  id: number
  agentId: string
}

/** An excerpt of one of an agent's files. */
export interface Passage {
  file: string
  text: string
  score: number
}

/** What an agent's files say. */
export interface Knowledge {
  /** The passages nearest to a question, best first. A failure is no passages, never a failed turn. */
  search(agent: AgentRef, query: string, signal: AbortSignal): Promise<Passage[]>
}
