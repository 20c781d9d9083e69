import { type Language, languageOf, languages, stopWords } from './language.ts'
import { folded, stemOf } from './stems.ts'
import { otherForms } from './verb-forms.ts'

/** Words, and what is written in one with hyphens, dots, slashes or underscores, such as `E-417` and `max_size`. */
const joined = /[\p{L}\p{N}]+(?:[-_./:@'’][\p{L}\p{N}]+)*/gu
const parts = /[\p{L}\p{N}]+/gu
/** Scripts that write no spaces: two signs at a time stand for words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/u
const camel = /(?<=\p{Ll})(?=\p{Lu})/u
const elided = /^(?:[cdjlmnst]|qu)['’]/i
const possessive = /['’]s$/i
/** Longer runs of letters are no words: what they begin with stands for them. */
export const maxWordLength = 64
/** Longer runs of letters hold no names such as `maxSize`; cut at each capital they would take seconds. */
const maxNameLength = 256

const partsOfName = (piece: string) => (piece.length > maxNameLength ? [piece] : piece.split(camel))

interface Written {
  /** In lower case. */
  word: string
  /** Whether it is the whole of something with digits or joining signs: an identifier. */
  code: boolean
}

const pairs = (run: string) => [...run].slice(0, -1).map((sign, index) => sign + [...run][index + 1])

/** Some signs stand for whole sentences: a text of them is read as far as this many times its length. */
const maxGrowth = 2
/** Signs that are brought into their plain form at once. */
const signsAtOnce = 1_000

function plainForm(text: string): string {
  const most = text.length * maxGrowth
  let plain = ''
  for (let from = 0; from < text.length && plain.length < most; from += signsAtOnce) {
    plain += text.slice(from, from + signsAtOnce).normalize('NFKC')
  }
  return plain.slice(0, most)
}

/** The words of a text in their order; an identifier stands for itself as a whole beside its parts. */
function* written(text: string): Generator<Written> {
  for (const [raw] of plainForm(text).matchAll(joined)) {
    const whole = raw.replace(elided, '').replace(possessive, '')
    const pieces = (whole.match(parts) ?? []).flatMap(partsOfName)
    const hasDigit = /\d/.test(whole)
    if (hasDigit || whole.includes('_') || (pieces.length > 1 && !/['’-]/.test(whole))) {
      yield { word: pieces.join('').toLowerCase().slice(0, maxWordLength), code: true }
    }
    if (pieces.length === 1 && hasDigit) continue
    for (const piece of pieces) {
      const word = piece.toLowerCase().slice(0, maxWordLength)
      if (unspaced.test(word)) for (const pair of pairs(word)) yield { word: pair, code: false }
      else yield { word, code: false }
    }
  }
}

/** Long words also meet by their first letters: `cancel` and `cancellation`, `Frühstück` and `Frühstückszeiten`. */
const sharedStart = 6
const longWord = 7
/** Compounds meet by their last letters: `Garage` and `Tiefgarage`. */
const compound = 9

const startOf = (word: string) => (word.length >= longWord && !/\d/.test(word) ? `${word.slice(0, sharedStart)}~` : '')
const endOf = (word: string) => `~${word.slice(-sharedStart)}`

const lower = (text: string) => (text.toLowerCase().match(parts) ?? []) as string[]

/** What a passage is found by. */
export interface IndexedWords {
  /** Each once: stems, identifiers, and beginnings and ends of long words. */
  terms: string[]
  /** How many words it has that say something, for the length that a score is measured against. */
  length: number
}

/** The terms of a passage. Its language is told from its small words; `language` is that of the whole document. */
export function indexedWords(text: string, language = languageOf(lower(text))): IndexedWords {
  const terms = new Set<string>()
  let length = 0
  for (const { word, code } of written(text)) {
    if (language !== undefined && stopWords[language].has(word)) continue
    length++
    terms.add(stemOf(word, language ?? 'en'))
    if (code) continue
    const plain = folded(word)
    if (startOf(plain) !== '') terms.add(startOf(plain))
    if (language === 'de' && plain.length >= compound) terms.add(endOf(plain))
  }
  return { terms: [...terms], length }
}

/** The language of a text, or undefined where its small words do not tell. */
export const detectLanguage = (text: string): Language | undefined => languageOf(lower(text))

/** A word that a question asks for, with all the terms that count as it, and how much each counts (0..1). */
export interface AskedWord {
  terms: Map<string, number>
  /** How much the word weighs beside others, before its rarity. */
  weight: number
}

const codeWeight = 2
const partWeight = 0.4

/** "How long", "how many": what kind of answer is wanted, not what about. */
const measures = [
  /\bhow (?:long|many|much|often|far|soon|late|early|old|big|quickly|fast)\b/gi,
  /\bwie (?:lange?|viele?|oft|weit|spät|früh|alt|groß|schnell|teuer)\b/gi,
  /\b(?:cuánto tiempo|a qué hora|qué tan)\b/gi,
  /\b(?:combien de temps|à quelle heure)\b/gi,
]
/** Verbs that go with anything: they tell passages apart only when nothing else does. */
const lightVerbs = new Set(
  `keep keeps offer offers have need needs want wants use take takes make makes give gives go goes come comes find work
  works happen happens mean means do does allow allowed possible bring let happen see show say says want like
  gibt geben haben machen gehen kommen brauche brauchen bekomme bekommen passiert bedeutet möglich darf dürfen möchte
  möchten will wollen hacer tener ir venir necesito puedo hay pasa significa quiero quisiera faire avoir aller venir faut
  besoin signifie passe veux voudrais`.split(/\s+/),
)
const lightWeight = 0.4

/** Words of a question that are looked for: a page that is pasted in whole must not keep the database busy. */
const maxWords = 48

/**
 * The content words of a question. A short question seldom tells its language, so that a word stands for its stems in
 * all of them.
 */
export function askedWords(question: string): AskedWord[] {
  const language = detectLanguage(question)
  const subject = measures.reduce((text, pattern) => text.replace(pattern, ' '), question)
  const asked = new Map<string, AskedWord>()
  const isStop = (word: string) =>
    language === undefined ? stopWords.en.has(word) : stopWords[language].has(word) || stopWords.en.has(word)
  for (const { word, code } of written(subject)) {
    if (asked.size >= maxWords) break
    if (asked.has(word) || isStop(word)) continue
    const terms = new Map<string, number>([[folded(word), 1]])
    for (const each of languages) terms.set(stemOf(word, each), 1)
    const forms = code ? [] : otherForms(word, language === 'de')
    for (const form of forms) for (const each of languages) terms.set(stemOf(form, each), 1)
    const plain = folded(word)
    if (!code && startOf(plain) !== '') terms.set(startOf(plain), partWeight)
    if (!code && plain.length >= sharedStart) terms.set(endOf(plain), partWeight)
    asked.set(word, { terms, weight: code ? codeWeight : lightVerbs.has(word) ? lightWeight : 1 })
  }
  return [...asked.values()]
}
