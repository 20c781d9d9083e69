import { fitting, maxTokens, packed, tokensIn } from './size.ts'

/** More rows than these share passages. */
const maxRowPassages = 1_000

/** A row as a sentence of names and values. */
const rowText = (header: readonly string[], row: readonly string[]): string =>
  row
    .map((value, index) => [header[index]?.trim() ?? '', value.trim()] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => (name === '' ? value : `${name}: ${value}`))
    .join('; ')

/** A passage for each row, with its header; of very many rows, several to a passage. */
export function rowPassages(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const texts = rows.map((row) => rowText(header, row)).filter((text) => text !== '')
  if (texts.length <= maxRowPassages) return texts.flatMap((text) => fitting(text))
  const total = texts.reduce((sum, text) => sum + tokensIn(text), 0)
  const limit = Math.min(maxTokens, Math.ceil(total / maxRowPassages))
  return packed(
    texts.flatMap((text) => fitting(text)).map((text) => `${text}\n`),
    limit,
  )
}
