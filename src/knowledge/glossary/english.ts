import { stemOf } from '../stems.ts'
import { detectLanguage } from '../words.ts'
import { type Glossary, type GlossaryLanguage, glossaryLanguages, glossaryOf } from './glossary.ts'
import { wordInEnglish } from './word.ts'

interface Token {
  /** In lower case. */
  word: string
  stem: string
  from: number
  to: number
}

const letters = /\p{L}+/gu
/** Longer runs of letters are no words: what they begin with stands for them. */
const maxWordLength = 64

const tokensOf = (text: string, language: GlossaryLanguage): Token[] =>
  [...text.matchAll(letters)].map(({ 0: raw, index }) => {
    const word = raw.slice(0, maxWordLength).toLowerCase()
    return { word, stem: stemOf(word, language), from: index, to: index + raw.length }
  })

/** What may stand between the words of a phrase. */
const joint = /^[ '’-]$/

/** The longest phrase that begins at a word. */
function phraseAt(text: string, tokens: readonly Token[], at: number, glossary: Glossary) {
  const most = glossary.phraseLength(tokens[at]?.stem ?? '')
  let count = 1
  for (; count < most; count++) {
    const [last, next] = [tokens[at + count - 1], tokens[at + count]]
    if (!last || !next || !joint.test(text.slice(last.to, next.from))) break
  }
  for (; count > 1; count--) {
    const some = tokens.slice(at, at + count)
    const english = glossary.phrase(some.map(({ stem }) => stem).join(' '))
    if (english !== undefined) return { english, count }
  }
  return undefined
}

/** What stands before an apostrophe in French: an article, a pronoun, or half of a negation. */
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)$/

const isElided = (text: string, { word, to }: Token) => elided.test(word) && /^['’]/.test(text.slice(to, to + 1))

/** A text in English; `language` is that which it is in. */
function translated(text: string, language: GlossaryLanguage): string {
  const glossary = glossaryOf(language)
  const tokens = tokensOf(text, language)
  let result = ''
  let written = 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    const phrase = phraseAt(text, tokens, at, glossary)
    const english = phrase?.english ?? (isElided(text, token) ? '' : wordInEnglish(token.word, language, glossary))
    at += (phrase?.count ?? 1) - 1
    if (english === undefined) continue
    result += text.slice(written, token.from) + english
    written = (tokens[at]?.to ?? token.to) + (english === '' && isElided(text, token) ? 1 : 0)
  }
  return (result + text.slice(written)).replaceAll(/[^\S\n]{2,}/g, ' ').trim()
}

/** The share of a text's words that a glossary has where these tell its language. */
const tellingShare = 0.6
/** Enough to tell. */
const wordsRead = 100

/** The language of a text without small words, such as a row of a table: the one whose glossary has most of its words. */
function languageByGlossary(text: string): GlossaryLanguage | undefined {
  const words = (text.toLowerCase().match(letters) ?? []).filter((word) => word.length > 2).slice(0, wordsRead)
  const known = glossaryLanguages.map((language) => ({ language, glossary: glossaryOf(language) }))
  const counted = known.map(({ language, glossary }) => {
    return { language, count: words.filter((word) => wordInEnglish(word, language, glossary) !== undefined).length }
  })
  const english = words.filter((word) => known.some(({ glossary }) => glossary.isEnglish(word))).length
  const [first, second] = counted.toSorted((a, b) => b.count - a.count)
  if (!first || !second || first.count < tellingShare * words.length) return undefined
  return first.count > second.count && first.count > english ? first.language : undefined
}

/**
 * A text in English word by word, with its numbers, signs and lines as they are: German, Spanish and French have a
 * glossary. The order of words stays, and so does what is in no glossary, such as a name. Other texts come back unchanged.
 */
export function inEnglish(text: string): string {
  const language = detectLanguage(text) ?? languageByGlossary(text)
  return language === undefined || language === 'en' ? text : translated(text, language)
}
