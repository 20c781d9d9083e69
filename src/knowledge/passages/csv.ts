import Papa from 'papaparse'
import type { PassageText } from './passage.ts'
import { rowPassages } from './rows.ts'

/** A header names its columns: no numbers, nothing twice, nothing empty. */
const isHeader = (row: readonly string[]) =>
  row.length > 1 &&
  row.every((cell) => cell.trim() !== '' && cell.length <= 80 && !/^[\d\s.,%€$£+-]+$/.test(cell)) &&
  new Set(row.map((cell) => cell.trim().toLowerCase())).size === row.length

/** The rows of a table of values, each with the names of its columns. */
export function csvPassages(text: string): PassageText[] {
  const { data } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' })
  const [first = [], ...rest] = data
  const texts = isHeader(first) ? rowPassages(first, rest) : rowPassages([], data)
  if (texts.length === 0) return rowPassages([], data).map((row) => ({ heading: null, text: row }))
  return texts.map((row) => ({ heading: null, text: row }))
}
