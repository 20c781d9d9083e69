import { sentencesIn } from '../../knowledge/passages/size.ts'
import { indexedWords } from '../../knowledge/words.ts'

/** The stems and identifiers of a text that say something. */
export const termsOf = (text: string): string[] => indexedWords(text).terms.filter((term) => !term.includes('~'))

const marks = /^\s*(?:(?:[-*•>]|#{1,6}|\d+[.)]|[AQ]:)\s+)+/

/**
 * The sentences of a text, lines first, without the marks of lists, headings, questions and answers.
 * @param most how many are read, about
 */
export function sentencesOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = []
  for (const line of text.split(/\n+/)) {
    if (found.length >= most) break
    for (const sentence of sentencesIn(line.replace(marks, ''))) {
      const said = sentence.trim()
      if (/[\p{L}\p{N}]/u.test(said)) found.push(said)
    }
  }
  return found
}
