import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../language.ts'
import { folded, stemOf } from '../stems.ts'

/** The languages that are put into English before the embedder reads them. */
export const glossaryLanguages = ['de', 'es', 'fr'] as const satisfies readonly Language[]
export type GlossaryLanguage = (typeof glossaryLanguages)[number]

/** What words of a language mean in English; '' for what English leaves out, such as many articles. */
export interface Glossary {
  /** Of a word in lower case, in whichever form; undefined for one that is not known. */
  word(word: string): string | undefined
  /** Of several words in lower case, and their stems. */
  phrase(words: readonly string[], stems: readonly string[]): string | undefined
  /** Whether a word in lower case is a headword, or its plural: names that only share a stem with one are not. */
  hasHeadword(word: string): boolean
  /** Whether a word in lower case is among the English ones. */
  isEnglish(word: string): boolean
  /** How many words the longest phrase has that begins with this stem; 1 where none does. */
  phraseLength(stem: string): number
}

const sharedLength = (one: string, other: string) => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Of headwords with one stem, such as `cara` and `caro`, the one that a word is most like. */
function nearest(headwords: readonly string[], word: string): string | undefined {
  const unlike = (headword: string) => word.length + headword.length - 2 * sharedLength(folded(word), folded(headword))
  return headwords.toSorted((a, b) => unlike(a) - unlike(b))[0]
}

/** The stemmers leave words of three letters as they are, and shorten their longer forms to fewer. */
const shortest = 3
const endings = ['s', 'es', 'e', 'en']

const stemsOf = (headword: string, language: GlossaryLanguage) =>
  new Set(
    [headword, ...(headword.length === shortest ? endings : []).map((ending) => headword + ending)].map((form) =>
      stemOf(form, language),
    ),
  )

const plural = /e?s$/

/** Not those that make other words as well: `Müller` is no plural of `Müll`, nor `Marie` of `mari`. */
const pluralEndings: Record<GlossaryLanguage, readonly string[]> = {
  de: ['e', 'en', 'n', 's'],
  es: ['s', 'es'],
  fr: ['s', 'es', 'x'],
}

const isPlural = (word: string, headword: string, language: GlossaryLanguage) =>
  pluralEndings[language].some((ending) => folded(word) === folded(headword) + ending)

/** A line is a headword, a tab, and what it means. */
function read(language: GlossaryLanguage): Glossary {
  const words = new Map<string, string>()
  /** Headwords with spaces between them: fewer objects. */
  const stems = new Map<string, string>()
  const phrases = new Map<string, string>()
  const stemPhrases = new Map<string, string>()
  const lengths = new Map<string, number>()
  const meanings = new Set<string>()
  for (const line of readFileSync(join(import.meta.dirname, `${language}.tsv`), 'utf8').split('\n')) {
    const [headword = '', english] = line.split('\t')
    if (english === undefined) continue
    for (const meaning of english.toLowerCase().split(/[ -]/)) meanings.add(meaning)
    const parts = headword.split(/[\s'-]+/)
    if (parts.length > 1) {
      const partStems = parts.map((part) => stemOf(part, language))
      const [first = ''] = partStems
      phrases.set(parts.join(' '), english)
      if (!stemPhrases.has(partStems.join(' '))) stemPhrases.set(partStems.join(' '), english)
      lengths.set(first, Math.max(lengths.get(first) ?? 1, parts.length))
      continue
    }
    words.set(headword, english)
    for (const stem of stemsOf(headword, language)) {
      const alike = stems.get(stem)
      stems.set(stem, alike === undefined ? headword : `${alike} ${headword}`)
    }
  }
  const alike = (word: string) => stems.get(stemOf(word, language))?.split(' ') ?? []
  const byStem = (word: string) => words.get(nearest(alike(word), word) ?? '')
  return {
    word: (word) => words.get(word) ?? byStem(word),
    phrase: (parts, partStems) => phrases.get(parts.join(' ')) ?? stemPhrases.get(partStems.join(' ')),
    hasHeadword: (word) => words.has(word) || alike(word).some((headword) => isPlural(word, headword, language)),
    isEnglish: (word) => meanings.has(word) || meanings.has(word.replace(plural, '')),
    phraseLength: (stem) => lengths.get(stem) ?? 1,
  }
}

const glossaries = new Map<GlossaryLanguage, Glossary>()

/** The glossary of a language, which is read from its file at its first use. */
export function glossaryOf(language: GlossaryLanguage): Glossary {
  const known = glossaries.get(language) ?? read(language)
  glossaries.set(language, known)
  return known
}
