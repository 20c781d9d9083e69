import type { Language } from '../language.ts'
import { detectLanguage } from '../words.ts'
import { type GlossaryLanguage, glossaryLanguages, glossaryOf } from './glossary.ts'
import { type Token, tokensOf } from './tokens.ts'
import { translated } from './translated.ts'
import { wordInEnglish } from './word.ts'

/** The share of a text's words that a glossary has at least where the text is in its language. */
const leastShare = 0.6
/** Fewer words are told by headwords alone: a name of one or two has the stem of some word. */
const fewWords = 3
/** Enough to tell. */
const wordsRead = 100

/** Whether a glossary has most of a text's words, and more of them than there are English ones. */
function isIn(language: GlossaryLanguage, tokens: readonly Token[], knowsEnglish: (word: string) => boolean): boolean {
  const glossary = glossaryOf(language)
  const isKnown = ({ word }: Token) =>
    tokens.length < fewWords ? glossary.hasHeadword(word) : wordInEnglish(word, language, glossary) !== undefined
  const known = tokens.filter(isKnown).length
  return known >= leastShare * tokens.length && known > tokens.filter(({ word }) => knowsEnglish(word)).length
}

/**
 * The language of a text: that which its small words tell or, where they tell none, as in a row of a table, the first whose glossary
 * has its words. A small word alone does not make an English text French ("Men's sale").
 */
function languageOf(text: string): Language | undefined {
  const told = detectLanguage(text)
  if (told === 'en') return told
  const tokens = tokensOf(text)
    .filter(({ word }) => word.length > 1)
    .slice(0, wordsRead)
  if (tokens.length === 0) return undefined
  const asked = told === undefined ? glossaryLanguages : [told]
  const knowsEnglish = (word: string) => asked.some((language) => glossaryOf(language).isEnglish(word))
  return asked.find((language) => isIn(language, tokens, knowsEnglish))
}

/**
 * A text in English word by word, with its numbers, codes, signs and lines as they are: German, Spanish and French have a
 * glossary. The order of words stays, and so does what is in no glossary, such as a name. Each line is read in its own language
 * or, where it does not tell, in that of the text. Texts in another language come back unchanged.
 */
export function inEnglish(text: string): string {
  const composed = text.normalize('NFC')
  const lines = composed.split('\n').map((line) => ({ line, language: languageOf(line) }))
  const whole = lines.length === 1 ? undefined : languageOf(composed)
  const made = lines.map(({ line, language = whole }) =>
    language === undefined || language === 'en' ? line : translated(line, language),
  )
  return made.every((line, at) => line === lines[at]?.line) ? text : made.join('\n')
}
