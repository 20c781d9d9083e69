import { type ListSearch, readListSearch } from '../../parts/list-search.ts'

/** What the address of an assistant says: its tab, and the entries of its history that are compared. */
export interface AssistantSearch extends ListSearch {
  from?: number
  to?: number
}

const idOf = (value: unknown) => (Number.isInteger(value) ? Number(value) : undefined)

/** Reads the query of an assistant's address; what is not right is left out. */
export const readAssistantSearch = (given: Record<string, unknown>): AssistantSearch => ({
  ...readListSearch(given),
  from: idOf(given.from),
  to: idOf(given.to),
})
