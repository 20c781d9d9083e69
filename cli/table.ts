import { isObject, type Json } from '../src/json/object.ts'

const maxColumns = 7
const maxWidth = 40

const shortened = (text: string) => (text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text)

/** A value as a cell: one line, bounded. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return shortened(JSON.stringify(value))
  return shortened(String(value).replace(/\s+/g, ' '))
}

/** Columns that say most in a list: plain values first, in the order of the record. */
const columnsOf = (rows: Json[]) => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const isPlain = (name: string) => rows.every((row) => typeof row[name] !== 'object' || row[name] === null)
  const filled = names.filter((name) => isPlain(name) && rows.some((row) => row[name] != null && row[name] !== ''))
  return filled.slice(0, maxColumns)
}

/** Rows under their column names. */
export function table(rows: Json[]): string {
  const columns = columnsOf(rows)
  const cells = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))]
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** An object, a field a line. */
export function fields(object: Json): string {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  return Object.entries(object)
    .map(
      ([name, value]) => `${name.padEnd(width)}  ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join('\n')
}

/** A response for people: lists as tables with where the page is, objects by field, messages as they are. */
export function forPeople(body: unknown): string {
  if (!isObject(body)) return String(body)
  const lines: string[] = []
  if (typeof body.message === 'string') lines.push(body.message)
  if (Array.isArray(body.data)) {
    const rows = body.data.filter(isObject)
    lines.push(rows.length === 0 ? 'None.' : table(rows))
    if (isObject(body.pagination)) {
      const { current_page, last_page, total } = body.pagination
      lines.push(`page ${current_page} of ${last_page}, ${total} in all`)
    }
    if (body.has_more === true) lines.push('There are more: --page shows the next.')
  } else if (isObject(body.data)) lines.push(fields(body.data))
  else if (lines.length === 0) lines.push(fields(body))
  return lines.join('\n')
}
