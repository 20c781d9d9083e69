import type { Language } from '../language.ts'
import { detectLanguage } from '../words.ts'
import { compoundInEnglish } from './compounds.ts'
import { type GlossaryLanguage, glossaryLanguages, glossaryOf } from './glossary.ts'
import { type Token, tokensOf } from './tokens.ts'
import { translated } from './translated.ts'
import { wordInEnglish } from './word.ts'

/** The share of a text's words that a glossary has at least where the text is in its language. */
const leastShare = 0.6
/** Fewer words are told by headwords, plurals and compounds alone: a name of one or two has the stem of some word. */
const fewWords = 3
/** Shorter English words can be cut into German ones as well: `app` and `les`. */
const longWord = 9
/** Enough to tell. */
const wordsRead = 100

/** How many of a text's words the glossary of a language has. */
function knownIn(language: GlossaryLanguage, tokens: readonly Token[]): number {
  const glossary = glossaryOf(language)
  const isKnown = ({ word }: Token) =>
    tokens.length >= fewWords
      ? wordInEnglish(word, language, glossary) !== undefined
      : glossary.hasHeadword(word) ||
        (language === 'de' && word.length >= longWord && compoundInEnglish(word, glossary) !== undefined)
  return tokens.filter(isKnown).length
}

/**
 * The language whose glossary has most of a text's words, where these are enough and more than there are English ones.
 */
function languageByWords(text: string, asked: readonly GlossaryLanguage[]): GlossaryLanguage | undefined {
  const tokens = tokensOf(text)
    .filter(({ word }) => word.length > 1)
    .slice(0, wordsRead)
  const counts = asked.map((language) => ({ language, known: knownIn(language, tokens) }))
  const [best] = counts.toSorted((one, other) => other.known - one.known)
  if (!best || best.known < leastShare * tokens.length) return undefined
  const english = tokens.filter(({ word }) => asked.some((language) => glossaryOf(language).isEnglish(word)))
  return best.known > english.length ? best.language : undefined
}

/**
 * The language that a text's small words tell. One of them alone does not make an English text French ("Men's sale").
 */
function languageBySmallWords(text: string): Language | undefined {
  const told = detectLanguage(text)
  return told === undefined || told === 'en' ? told : languageByWords(text, [told])
}

/** The same of a line, which tells nothing by a word or two: a heading may have a name. */
const languageOfLine = (line: string) => (tokensOf(line).length < fewWords ? undefined : languageBySmallWords(line))

/**
 * A text in English word by word, with its numbers, codes, signs and lines as they are: German, Spanish and French have
 * a glossary. The order of words stays, and so does what is in no glossary, such as a name. Each line is read in the
 * language that its small words tell; others, such as headings and rows, in that of the text, which without any small
 * words is that of the glossary that has most of its words. Texts in another language come back unchanged.
 */
export function inEnglish(text: string): string {
  const composed = text.normalize('NFC')
  const lines = composed.split('\n').map((line) => ({ line, told: languageOfLine(line) }))
  const whole = lines.every(({ told }) => told !== undefined)
    ? undefined
    : (languageBySmallWords(composed) ?? languageByWords(composed, glossaryLanguages))
  const made = lines.map(({ line, told = whole }) =>
    told === undefined || told === 'en' ? line : translated(line, told),
  )
  return made.every((line, at) => line === lines[at]?.line) ? text : made.join('\n')
}
