import { headingSeparator, type PassageText } from './passage.ts'
import { prosePassages } from './prose.ts'
import { rowPassages } from './rows.ts'
import { fitting, tokensIn, usualTokens } from './size.ts'
import { unwrapped } from './unwrap.ts'

type Kind = 'text' | 'table' | 'code'
interface Block {
  kind: Kind
  lines: string[]
}

const fence = /^\s*(```|~~~)/
const heading = /^\s{0,3}(#{1,6})\s+(\S.*)$/
const underline = /^\s{0,3}(=+|-{3,})\s*$/
const delimiter = /^\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?$/
const emphasis = /\*\*(?=\S)([^*\n]{1,500})\*\*/g
const frontMatter = /^---\n[\s\S]*?\n---\n/

const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').replaceAll(emphasis, '$1').trim())

const isTableRow = (line: string | undefined) => line !== undefined && /(?<!\\)\|/.test(line) && line.trim() !== ''

/** A title without the signs that may close its line; one pattern for all of it would take quadratic time. */
function titleOf(text: string): string {
  const line = text.trimEnd()
  let end = line.length
  while (line[end - 1] === '#') end--
  return end > 0 ? line.slice(0, end).trimEnd() : line.slice(0, 1)
}

/** The blocks of one section. A table is a row, a line of dashes and more rows. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  const add = (kind: Kind, line: string) => {
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  let inCode = false
  let inTable = false
  for (const [index, line] of lines.entries()) {
    if (fence.test(line)) {
      add('code', line)
      inCode = !inCode
      if (!inCode) blocks.push({ kind: 'text', lines: [] })
      continue
    }
    if (inCode) {
      add('code', line)
      continue
    }
    const opens = isTableRow(line) && delimiter.test((lines[index + 1] ?? '').trim())
    inTable = opens || (inTable && isTableRow(line))
    if (opens) blocks.push({ kind: 'table', lines: [] })
    add(inTable ? 'table' : 'text', line)
  }
  return blocks.filter((block) => block.lines.some((line) => line.trim() !== ''))
}

function textsOf({ kind, lines }: Block): string[] {
  const whole = lines.join('\n')
  if (kind === 'text') return prosePassages(whole.replaceAll(emphasis, '$1'))
  if (kind === 'code') return fitting(whole)
  const [header = '', , ...rows] = lines
  return rows.length === 0 ? fitting(cells(header).join('; ')) : rowPassages(cells(header), rows.map(cells))
}

/** The passages of a section: whole where it is short and has no table, else block by block. */
function sectionPassages(path: string | null, lines: readonly string[]): PassageText[] {
  const blocks = blocksOf(lines)
  const whole = lines.join('\n').trim()
  const isWhole = path !== null && blocks.every(({ kind }) => kind !== 'table') && tokensIn(whole) <= usualTokens
  const isText = blocks.every(({ kind }) => kind === 'text')
  const texts =
    isWhole && whole !== '' ? [(isText ? unwrapped(whole) : whole).replaceAll(emphasis, '$1')] : blocks.flatMap(textsOf)
  return texts.map((text) => ({ heading: path, text }))
}

/** The sections of a Markdown document, each with the path of its headings; tables row by row, with their header. */
export function markdownPassages(source: string): PassageText[] {
  const passages: PassageText[] = []
  const path: { level: number; title: string }[] = []
  let section: string[] = []
  /** Lines of the section that say something. */
  let texts = 0
  const pathText = () => (path.length > 0 ? path.map(({ title }) => title).join(headingSeparator) : null)
  const end = () => {
    passages.push(...sectionPassages(pathText(), section))
    section = []
    texts = 0
  }
  const begin = (level: number, title: string) => {
    end()
    while ((path.at(-1)?.level ?? 0) >= level) path.pop()
    path.push({ level, title: title.replaceAll(emphasis, '$1').slice(0, 200) })
  }
  let inCode = false
  const lines = source.replace(frontMatter, '').split('\n')
  for (const [index, line] of lines.entries()) {
    if (fence.test(line)) inCode = !inCode
    const [, signs, title] = inCode ? [] : (heading.exec(line) ?? [])
    const before = lines[index - 1]?.trim() ?? ''
    if (signs !== undefined && title !== undefined) begin(signs.length, titleOf(title))
    else if (!inCode && underline.test(line) && before !== '' && texts <= 1) {
      section = []
      begin(line.trim().startsWith('=') ? 1 : 2, before)
    } else {
      section.push(line)
      if (line.trim() !== '') texts += 1
    }
  }
  end()
  return passages
}
