/** The agent that a turn or a search is for. */
export interface AgentRef {
  /** The internal id. */
  id: number
  agentId: string
}

/** An agent that is asked, and whose share of the embedder a search of its files takes. */
export interface AskedAgent extends AgentRef {
  workspaceId: number
}

/** An excerpt of one of an agent's files. */
export interface Passage {
  file: string
  /** The heading that it stands under. */
  heading: string | null
  text: string
  score: number
}

/** What is looked for. */
export interface KnowledgeQuestion {
  query: string
  /** What was said before it, which may name what it is about. */
  context?: string
}

/** What an agent's files say. */
export interface Knowledge {
  /**
   * The passages nearest to a question, best first. A failure is no passages, never a failed turn. What is known of the
   * files is read before the question is there.
   */
  search(
    agent: AskedAgent,
    question: KnowledgeQuestion | Promise<KnowledgeQuestion>,
    signal: AbortSignal,
  ): Promise<Passage[]>
}
