import { type ListSearch, readListSearch } from '../../parts/list-search.ts'

/** What the address of an agent says: its tab, and the chat that is open. */
export interface AgentSearch extends ListSearch {
  chat?: string
}

/** Reads the query of an agent's address; what is not right is left out. */
export const readAgentSearch = (given: Record<string, unknown>): AgentSearch => ({
  ...readListSearch(given),
  chat: typeof given.chat === 'string' ? given.chat.slice(0, 40) : undefined,
})
