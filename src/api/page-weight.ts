import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { validationError } from './errors/api-error.ts'

/** Bytes of text on a page. */
const maxPageBytes = 8_000_000
const tooLarge = 'The per_page field is too high: these entries have more than 8 MB of text. Ask for fewer at a time.'

/** Refuses a page whose entries have too much text for one response. Throws 422 on `per_page`. */
export function checkPageWeight(bytes: number): void {
  if (bytes > maxPageBytes) throw validationError({ per_page: [tooLarge] })
}

/** How much text these columns of all rows hold together, in bytes, without fetching them. */
export function bytesOfText(...columns: readonly SQLWrapper[]): SQL<number> {
  const sizes = columns.map((column) => sql`coalesce(octet_length(${column}::text), 0)`)
  return sql<number>`coalesce(sum(${sql.join(sizes, sql` + `)}), 0)::int`
}
