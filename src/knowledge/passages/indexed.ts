import { detectLanguage, type IndexedWords, indexedWords } from '../words.ts'
import { type PassageText, searchText } from './passage.ts'

/** A passage with the words that it is found by. */
export type IndexedPassage = PassageText & IndexedWords

/** Passages that say which language a file is in. */
const sampleSize = 200

/** The passages of one file with their words, in the language of the whole. */
export function indexedPassages(passages: readonly PassageText[]): IndexedPassage[] {
  const language = detectLanguage(passages.slice(0, sampleSize).map(searchText).join('\n'))
  return passages.map((passage) => ({ ...passage, ...indexedWords(searchText(passage), language) }))
}
