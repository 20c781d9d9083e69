import { type Language, languages } from '../../../knowledge/language.ts'
import { detectLanguage } from '../../../knowledge/words.ts'
import { isAboutTheAgent } from './about-the-agent.ts'
import { isForCallers } from './for-callers.ts'
import { afterOrders, finiteVerbs, orderOrNoun, orderVerbs, pluralVerbs } from './verbs.ts'

/** What may stand before the verb of an order. */
const beforeVerb =
  /^(?:(?:please|kindly|always|never|then|first|next|finally|afterwards|also|just|only|simply|otherwise|instead|and|or|but|so|do not|don['’]t|\p{L}+ly|bitte|dann|danach|zuerst|sonst|und|oder|immer|nie|por favor|luego|después|entonces|primero|siempre|nunca|no|y|o|d['’]abord|ensuite|puis|sinon|toujours|et|ou|s['’]il vous plaît)[,\s]+)+/iu

/** What a condition or a purpose begins with, after which the order follows: "To move a table, ask for the name." */
const introduction =
  /^(?:if|should|when|whenever|to|for|before|after|once|until|unless|while|where|as soon as|in case|with|at|on|in|outside|out of|during|without|instead of|wenn|falls|sobald|um|bei|für|vor|nach|bevor|nachdem|außerhalb|ohne|si|cuando|para|antes|después|en|sin|al|quand|lorsque|pour|avant|après|en cas|hors|sans)(?!\p{L})/iu

/** "Note that we are closed on Sundays" tells a fact. */
const noteThat = /^(?:please )?(?:note|be aware|remember|keep in mind)(?: that|:) /i

/** Of a price, a time of the day or a telephone number a sentence tells, and gives no order. */
export const price = /[€$£]|\d\s?(?:eur|euros?|dollars?|pounds?|cents?|uhr)\b|\d:\d\d|\d\s?(?:am|pm)\b/i

/** How far after a word its verb may be. */
const wordsRead = 9

const preposition = /^(?:of|from|to|for|in|at|on|with|by|between)$/
const article = /^(?:the|a|an|our|your)$/

const afterFrenchNouns = /^(?:de|du|à|sur|en|d['’]\p{L}+)$/u
const priced = /^[^:]{1,60}:\s.{0,60}(?:[€$£]|\d\s?(?:euros?|eur|dollars?|pounds?|cents?)(?!\p{L}))/iu

/**
 * Whether a word that may be a noun is the subject of what follows it, or has a price: "Book exchange is on Fridays".
 */
function isSubject(after: readonly string[], sentence: string): boolean {
  if (priced.test(sentence)) return true
  for (const [index, word] of after.entries()) {
    const before = after[index - 1] ?? ''
    if (preposition.test(before) && article.test(word)) continue
    if (afterOrders.has(word) || word === ',') return false
    if (finiteVerbs.has(word)) return true
    if (pluralVerbs.has(word) && before.endsWith('s')) return true
  }
  return price.test(sentence)
}

/** English words that say of what follows what it is like, unless something is named that is done to. */
const describing = new Set(['open', 'close', 'complete', 'direct', 'clear', 'clean', 'separate', 'welcome', 'return'])
/** "Demandez" of "demander", where callers are told to come with "apportez" or "venez". */
const isFrenchForm = (verb: string): boolean =>
  verb.endsWith('ez') && ['er', 'ir', 're'].some((ending) => orderOrNoun.fr.has(verb.slice(0, -2) + ending))
const spanishToOthers = /^\p{L}{3,}(?:[ae]r|ir|[áéí]\p{L}+)(?:me|le|les|lo|la|los|las)$/u

interface Clause {
  clause: string
  sentence: string
  /** It may as well be one of a list, so that only what is nothing else is an order. After a condition it is none. */
  firmly: boolean
}

/** Whether a clause begins with the form of a verb that gives orders. */
function isImperative({ clause, sentence, firmly }: Clause, spoken: readonly Language[]): boolean {
  const said = clause.replace(beforeVerb, '')
  const words = (said.slice(0, 160).match(/[\p{L}\p{N}'’-]+|,/gu) ?? []).map((word) => word.toLowerCase())
  const [verb = '', ...rest] = words
  const after = rest.slice(0, wordsRead)
  const [next = ''] = after
  if (verb === 'thank' && next === 'you') return false
  if (isForCallers(said, verb, sentence)) return false
  if (nounsOfGerman.test(said)) return false
  if (spoken.includes('fr') && isFrenchForm(verb)) return true
  if (spoken.includes('es') && spanishToOthers.test(verb)) return true
  if (spoken.includes('de') && next === 'sie' && orderOrNoun.de.has(verb)) return true
  if (spoken.some((language) => orderVerbs[language].has(verb))) return true
  if (!spoken.some((language) => orderOrNoun[language].has(verb))) return false
  if (orderOrNoun.fr.has(verb) && spoken.includes('fr') && afterFrenchNouns.test(next)) return false
  if (firmly || describing.has(verb)) return afterOrders.has(next) && !/\b(?:day|year|week|all)\b/.test(said)
  return !isSubject(after, sentence)
}

/**
 * German orders end in the verb: "Termine buchen und absagen". With one of these before it, it tells what can be done.
 */
const germanModal =
  /(?<!\p{L})(?:kann|kannst|können|muss|müssen|soll|sollen|darf|dürfen|wird|werden|lässt|lassen|möchte|wollen|will|zu)(?!\p{L})/iu
const isGermanInfinitive = (sentence: string): boolean => {
  const last = /(\p{L}+)[.!]?$/u.exec(sentence.slice(-40))?.[1]?.toLowerCase() ?? ''
  return orderOrNoun.de.has(last) && last.endsWith('n') && !germanModal.test(sentence) && !/\d/.test(sentence)
}

const condition =
  /^(?:if|when|whenever|once|should|in case|wenn|falls|sobald|si|cuando|quand|lorsque|en cas)(?!\p{L})/iu
/** "Buche und Eiche" are trees. */
const nounsOfGerman = /^\p{Lu}\p{L}* (?:und|oder) \p{Lu}/u

/** Each part of a sentence with which an order may begin. */
function* clausesOf(sentence: string): Generator<Clause> {
  for (const part of sentence.split(/(?:[:;]|\s[–—-])\s+/)) {
    yield { clause: part, sentence, firmly: false }
    const [, ...later] = part.split(/,\s+/)
    if (!introduction.test(part)) continue
    for (const [index, clause] of later.entries()) {
      yield { clause, sentence, firmly: index > 0 || !condition.test(part) }
    }
  }
}

const subject =
  /^(?:we|you|i|it|they|he|she|who|that|which|to|and|or|not|wir|sie|ihr|zu|und|que|y|se|nous|vous|qui|et)$/
const maxIntroduced = 6

/** "In emergencies give the number", "Bei Notfällen verweise auf die Nummer": without a comma, German needs none. */
function isIntroduced(sentence: string, spoken: readonly Language[]): boolean {
  if (!introduction.test(sentence)) return false
  const words = sentence.slice(0, 160).match(/[\p{L}\p{N}'’-]+|,/gu) ?? []
  for (const [index, word] of words.slice(0, maxIntroduced).entries()) {
    if (word === ',' || subject.test(word) || finiteVerbs.has(word)) return false
    const language = index < 2 ? undefined : spoken.find((each) => orderVerbs[each].has(word))
    if (language) return language === 'de' || afterOrders.has(words[index + 1] ?? '')
  }
  return false
}

const toThem = /(?:,|\band|\bso|\bthen)\s+(?:ask|tell|offer|give|send|thank|let|invite) (?:them|him|her)\b/i

/**
 * Whether a sentence of an agent's instructions tells it what to do, so that it is quoted to nobody.
 * @param written the language of the instructions, for sentences that do not tell their own
 */
export function isDirective(sentence: string, written?: Language): boolean {
  const said = sentence
    .trim()
    .replace(/^["“„«']/, '')
    .replace(noteThat, '')
  if (isAboutTheAgent(said, isForCallers(said, '', said)) || toThem.test(said)) return true
  const own = detectLanguage(said)
  const spoken = languages.filter((each) => (own === undefined ? each === 'en' || each === written : each === own))
  if (spoken.includes('de') && isGermanInfinitive(said)) return true
  if (spoken.includes('fr') && /^tu (?!peux |as |paies |trouves |reçois )/i.test(said)) return true
  if (isIntroduced(said, spoken)) return true
  return clausesOf(said).some((clause) => isImperative(clause, spoken))
}
