import { sentences } from '../../knowledge/passages/size.ts'
import { indexedWords } from '../../knowledge/words.ts'

/** The stems and identifiers of a text that say something. */
export const termsOf = (text: string): string[] => indexedWords(text).terms.filter((term) => !term.includes('~'))

const marks = /^\s*(?:(?:[-*•>]|#{1,6}|\d+[.)]|[AQ]:)\s+)+/

/** The sentences of a text, lines first, without the marks of lists, headings, questions and answers. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/\n+/)
    .flatMap((line) => sentences(line.replace(marks, '')))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
