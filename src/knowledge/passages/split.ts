import { storableText } from '../../runtime/storable-text.ts'
import { csvPassages } from './csv.ts'
import { jsonPassages } from './json.ts'
import { markdownPassages } from './markdown.ts'
import { type PassageText, searchText } from './passage.ts'
import { prosePassages } from './prose.ts'
import { maxTokens, packed, usualTokens } from './size.ts'

/** Moves when passages come out otherwise than before: files that were split by an older one are split again. */
export const passagesVersion = 5

const looksLikeMarkdown = (text: string) => /^#{1,6}\s+\S/m.test(text) && !/^#!/.test(text)

const plainPassages = (text: string): PassageText[] =>
  prosePassages(text).map((part) => ({ heading: null, text: part }))

function byExtension(name: string, text: string): PassageText[] {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (extension === 'csv') return csvPassages(text)
  if (extension === 'json') return jsonPassages(text) ?? plainPassages(text)
  if (extension === 'md' || extension === 'markdown') return markdownPassages(text)
  return extension !== 'log' && looksLikeMarkdown(text) ? markdownPassages(text) : plainPassages(text)
}

/** Escapes of JSON say, and cuts through a character leave, what the whole text does not have. */
const storable = ({ heading, text }: PassageText): PassageText => ({
  heading: heading && storableText(heading),
  text: storableText(text).trim(),
})

/**
 * A file of more small parts than these has several of them to a passage: each passage is a row and a vector of its
 * own.
 */
const maxPassages = 2_000

const inOne = (texts: readonly string[], limit: number) =>
  packed(
    texts.map((text) => `${text}\n`),
    limit,
  )

/**
 * Neighbours under the same heading together and, where headings change all the time, whatever comes next to each
 * other.
 */
function shared(passages: readonly PassageText[]): readonly PassageText[] {
  if (passages.length <= maxPassages) return passages
  const runs: { heading: string | null; texts: string[] }[] = []
  for (const { heading, text } of passages) {
    const last = runs.at(-1)
    if (last && last.heading === heading) last.texts.push(text)
    else runs.push({ heading, texts: [text] })
  }
  const merged = runs.flatMap(({ heading, texts }) => inOne(texts, usualTokens).map((text) => ({ heading, text })))
  if (merged.length <= maxPassages) return merged
  const all = inOne(merged.map(searchText), maxTokens).map((text) => ({ heading: null, text }))
  return all.slice(0, maxPassages)
}

/** Names of columns and headings stand beside each passage: what they make of a text is bounded, in characters. */
const maxWritten = 2_000_000

/** The first passages that together are no longer than that. */
function bounded(passages: readonly PassageText[]): PassageText[] {
  let written = 0
  const end = passages.findIndex((passage) => {
    written += searchText(passage).length
    return written > maxWritten
  })
  return end < 0 ? [...passages] : passages.slice(0, end)
}

/**
 * A file's text in passages that follow its structure: sections with their headings, rows with their header, items of
 * JSON whole. No sentence is cut, each passage is small enough for an embedder that reads 256 tokens, and a database
 * can keep it.
 */
export function passagesOf(name: string, text: string): PassageText[] {
  const source = text.replaceAll(/\r\n?/g, '\n')
  const found = byExtension(name, source)
    .map(storable)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  return bounded(shared(found.length > 0 ? found : plainPassages(source).map(storable)))
}
