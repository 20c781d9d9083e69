import { sentences } from './sentences.ts'

/** What an embedder of 256 tokens reads whole, with room for the heading; see `tokensIn`. */
export const maxTokens = 200
/** Text without headings goes into passages of about this size: small enough to be about one thing. */
export const usualTokens = 110

const pieces = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu
const plainWord = /^[a-z]{1,8}$/i
const lettersPerToken = 3.5

/**
 * About how many tokens an embedder makes of a text: more for long and numbered words, and for those with other letters
 * than English ones.
 */
export function tokensIn(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(pieces)) {
    tokens += plainWord.test(piece) ? 1 : Math.ceil(piece.length / lettersPerToken)
  }
  return tokens
}

/** A sentence beyond this is no sentence: it is cut between words. */
const maxSentenceLength = 1_500

/** A text in pieces of at most so many characters, between words where there are any. */
function cut(text: string, max: number): string[] {
  const found: string[] = []
  let from = 0
  while (text.length - from > max) {
    const space = text.lastIndexOf(' ', from + max)
    const to = space > from + max / 2 ? space : from + max
    found.push(text.slice(from, to))
    from = to
  }
  return [...found, text.slice(from)]
}

/** Joins pieces in their order to texts of at most `limit` tokens each; a longer piece stays alone. */
export function packed(parts: readonly string[], limit: number): string[] {
  const texts: string[] = []
  let current = ''
  let size = 0
  for (const part of parts) {
    const tokens = tokensIn(part)
    if (size > 0 && size + tokens > limit) {
      texts.push(current)
      current = ''
      size = 0
    }
    current += part
    size += tokens
  }
  return [...texts, current].map((text) => text.trim()).filter((text) => text !== '')
}

/** The segmenter takes ever longer for a line that goes on, above all for one of spaces. */
const maxLineLength = 10_000

/** The lines of a text with their ends, a very long one in pieces. */
const linesIn = (text: string): string[] => text.split(/(?<=\n)/).flatMap((line) => cut(line, maxLineLength))

/** The sentences of a text of any form: of each line, none longer than one can be. */
export const sentencesIn = (text: string): string[] =>
  linesIn(text)
    .flatMap(sentences)
    .flatMap((sentence) => cut(sentence, maxSentenceLength))

/** A text in pieces that an embedder reads whole: cut between lines, then sentences, never within one. */
export function fitting(text: string, limit = maxTokens): string[] {
  if (tokensIn(text) <= limit && text.length <= maxSentenceLength) return [text.trim()].filter((part) => part !== '')
  const parts = linesIn(text)
    .flatMap((line) => (tokensIn(line) <= limit ? [line] : sentences(line)))
    .flatMap((piece) => cut(piece, maxSentenceLength))
  return packed(parts, Math.min(limit, usualTokens))
}
