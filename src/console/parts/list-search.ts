/** What the address of a list says: its page, and what its rows are searched and sorted by. */
export interface ListSearch {
  page?: number
  search?: string
  sort?: string
  filter?: string
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 255) : undefined)

/** Reads the query of a list's address; what is not right is left out. */
export function readListSearch(given: Record<string, unknown>): ListSearch {
  const page = Number(given.page)
  return {
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    // A query of digits is read as a number.
    search: textOf(typeof given.search === 'number' ? String(given.search) : given.search),
    sort: textOf(given.sort),
    filter: textOf(given.filter),
  }
}
