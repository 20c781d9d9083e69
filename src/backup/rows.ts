import { z } from 'zod'
import { type Connection, quoted } from './catalog.ts'
import { BackupError, partBytes, type TableShape } from './format.ts'

const firstRows = 50
/** Also where small rows are followed by rows of hundreds of kilobytes, they fit into memory. */
const maxRows = 500

/** The lines in their order, `partBytes` of text at a time; a longer line stands alone. */
export function* inParts(lines: readonly string[]): Generator<string[]> {
  let part: string[] = []
  let length = 0
  for (const line of lines) {
    if (part.length > 0 && length + line.length > partBytes) {
      yield part
      part = []
      length = 0
    }
    part.push(line)
    length += line.length
  }
  if (part.length > 0) yield part
}

/**
 * The rows of a table as lines, some at a time, about `partBytes` of them. The text of a column is PostgreSQL's own,
 * which its type reads again without loss. To be read within a transaction.
 */
export async function* readRows(sql: Connection, { name, columns }: TableShape): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
  await sql.unsafe(
    `declare backup_rows no scroll cursor for select to_json(array[${texts}])::text as line from ${quoted(name)}`,
  )
  for (let atOnce = firstRows; ; ) {
    const rows = await sql.unsafe<{ line: string }[]>(`fetch forward ${atOnce} from backup_rows`)
    yield* inParts(rows.map(({ line }) => line))
    if (rows.length < atOnce) break
    const average = rows.reduce((sum, { line }) => sum + line.length, 0) / rows.length
    atOnce = Math.max(1, Math.min(maxRows, Math.floor(partBytes / average)))
  }
  await sql`close backup_rows`
}

const Texts = z.array(z.string().nullable())

/**
 * Inserts one long line. To take a line apart in the database costs it some sixty times the line's length in memory.
 * Throws BackupError for a line that is not as `readRows` gives them.
 */
async function insertLong(sql: Connection, { name, columns }: TableShape, line: string): Promise<void> {
  const texts = textsOf(line)
  if (texts?.length !== columns.length) throw new BackupError(`A row of ${name} is not what a backup writes.`)
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ')
  await sql.unsafe(`insert into ${quoted(name)} (${names}) overriding system value values (${values})`, texts)
}

function textsOf(line: string): (string | null)[] | undefined {
  try {
    return Texts.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Inserts lines of `readRows`, in parts of `inParts`. Throws BackupError for a long one that is not as those are. */
export async function insertRows(sql: Connection, shape: TableShape, lines: readonly string[]): Promise<void> {
  const { name, columns } = shape
  const [first = ''] = lines
  if (lines.length === 1 && first.length > partBytes) return insertLong(sql, shape, first)
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map(({ type }, index) => `(line ->> ${index})::${type}`).join(', ')
  await sql.unsafe(
    `insert into ${quoted(name)} (${names}) overriding system value
     select ${values} from json_array_elements($1::text::json) as line`,
    [`[${lines.join(',')}]`],
  )
}
