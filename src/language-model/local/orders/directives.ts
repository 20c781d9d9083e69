import { type Language, languages } from '../../../knowledge/language.ts'
import { detectLanguage } from '../../../knowledge/words.ts'
import { afterOrders, finiteVerbs, orderOrNoun, orderVerbs, pluralVerbs, toCallers } from './verbs.ts'

/** What an agent is told of itself and of whom it speaks with: how to answer, never what to answer. */
const aboutTheAgent: readonly RegExp[] = [
  /\b(?:you are|you're|you will|you must|you should|you shall|you may|you can|you answer|you help|you never|you always|your (?:job|role|task|name|goal|tone|answers?|repl(?:y|ies)))\b/i,
  /^you\b(?! (?:get|pay|receive|save|reach|find us|need)\b)/i,
  /^(?:please\s+)?(?:always|never|do not|don['’]t|then|act|be|(?:if|when) (?:somebody|someone|anyone|asked|they|unsure|in doubt|you (?:are|do not|don['’]t|did not|didn['’]t|cannot|can['’]t)))\b/i,
  /\b(?:the (?:user|caller|customer|visitor|guest)s?|users|callers)\b.{0,60}\b(?:ask|want|say|need|wish|mention)/i,
  /\b(?:(?:the|a|each|every|this) caller|callers|the (?:assistant|bot|chatbot))\b/i,
  /\b(?:instructions?|system prompt|persona|guidelines?|phone call|in (?:one|two|three|a few|short) sentences?|short sentences|bullet points|markdown|emojis?|tone|politely|briefly|concise(?:ly)?)\b/i,
  /(?:^|[:;,]\s+)(?:and |or )?(?:ask )?(?:by when|whether)\b/i,
  /^(?:role|persona|identity|objective|goal|style|language|personality|task|job|rolle|aufgabe|ziel|rol|objetivo|rôle|objectif) ?:/i,
  /^(?:under no circumstances|it is (?:important|essential|crucial|vital) (?:to|that)|no (?:\w+ )?(?:advice|promises|jargon|opinions|guesses|small talk))\b|\bat a time\.?$/i,
  /\b(?:du bist|sie sind|deine? (?:aufgabe|rolle)|ihre aufgabe)\b|^(?:du|nie|niemals|immer)\b|(?<!\p{L})anrufe(?:r|rs|rn|rin)(?!\p{L})/iu,
  /\b(?:eres|usted es|tu (?:tarea|papel|función))\b|^(?:nunca|siempre|no (?:\p{L}+(?:as|es)|inventar|decir|dar|diga|dé|invente|prometa))(?!\p{L})|(?<!\p{L})(?:quien llama|el llamante|la persona que llama)(?!\p{L})/iu,
  /\b(?:tu es|vous êtes|ton rôle|votre rôle)\b|^(?:ne |n['’]|toujours|jamais)|(?<!\p{L})(?:l['’]appelante?|les appelants|la personne qui appelle)(?!\p{L})/iu,
]

/** What may stand before the verb of an order. */
const beforeVerb =
  /^(?:(?:please|kindly|always|never|then|first|next|finally|afterwards|also|just|only|simply|otherwise|instead|and|or|but|so|do not|don['’]t|\p{L}+ly|bitte|dann|danach|zuerst|sonst|und|oder|immer|nie|por favor|luego|después|entonces|primero|siempre|nunca|no|y|o|d['’]abord|ensuite|puis|sinon|toujours|et|ou|s['’]il vous plaît)[,\s]+)+/iu

/** What a condition or a purpose begins with, after which the order follows: "To move a table, ask for the name." */
const introduction =
  /^(?:if|should|when|whenever|to|for|before|after|once|until|unless|while|where|as soon as|in case|with|at|on|in|outside|out of|during|without|instead of|wenn|falls|sobald|um|bei|für|vor|nach|bevor|nachdem|außerhalb|ohne|si|cuando|para|antes|después|en|sin|al|quand|lorsque|pour|avant|après|en cas|hors|sans)(?!\p{L})/iu

/** "Note that we are closed on Sundays" tells a fact. */
const noteThat = /^(?:please )?(?:note|be aware|remember|keep in mind)(?: that|:) /i

const price = /[€$£]|\d\s?(?:eur|euros?|dollars?|pounds?|cents?|uhr)\b|\d:\d\d|\d\s?(?:am|pm)\b/i

/** How far after a word its verb may be. */
const wordsRead = 9

const preposition = /^(?:of|from|to|for|in|at|on|with|by|between)$/
const article = /^(?:the|a|an|our|your)$/

/** Whether a word that may be a noun is the subject of what follows it, or has a price: "Book exchange is on Fridays". */
function isSubject(after: readonly string[], sentence: string): boolean {
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
const french = /^(?!chez|assez|nez|rez)\p{L}{2,}ez$/u
const spanishToOthers = /^\p{L}{3,}(?:[ae]r|ir|[áéí]\p{L}+)(?:me|le|les|lo|la|los|las)$/u

interface Clause {
  clause: string
  sentence: string
  /** It may as well be one of a list, so that only what is nothing else is an order. */
  firmly: boolean
}

/** Whether a clause begins with the form of a verb that gives orders. */
function isImperative({ clause, sentence, firmly }: Clause, spoken: readonly Language[]): boolean {
  const said = clause.replace(beforeVerb, '')
  if (toCallers.test(said)) return false
  const words = (said.slice(0, 160).match(/[\p{L}\p{N}'’-]+|,/gu) ?? []).map((word) => word.toLowerCase())
  const [verb = '', ...rest] = words
  const after = rest.slice(0, wordsRead)
  const [next = ''] = after
  if (verb === 'thank' && next === 'you') return false
  if (spoken.includes('fr') && french.test(verb)) return true
  if (spoken.includes('es') && spanishToOthers.test(verb)) return true
  if (spoken.includes('de') && next === 'sie' && orderOrNoun.de.has(verb)) return true
  if (spoken.some((language) => orderVerbs[language].has(verb))) return true
  if (!spoken.some((language) => orderOrNoun[language].has(verb))) return false
  if (firmly || describing.has(verb)) return afterOrders.has(next) && !/\b(?:day|year|week|all)\b/.test(said)
  return !isSubject(after, sentence)
}

/** German orders end in the verb: "Termine buchen und absagen". With one of these before it, it tells what can be done. */
const germanModal =
  /(?<!\p{L})(?:kann|kannst|können|muss|müssen|soll|sollen|darf|dürfen|wird|werden|lässt|lassen|möchte|wollen|will|zu)(?!\p{L})/iu
const isGermanInfinitive = (sentence: string): boolean => {
  const last = /(\p{L}+)[.!]?$/u.exec(sentence.slice(-40))?.[1]?.toLowerCase() ?? ''
  return orderOrNoun.de.has(last) && last.endsWith('n') && !germanModal.test(sentence) && !/\d/.test(sentence)
}

/** Each part of a sentence with which an order may begin. */
function* clausesOf(sentence: string): Generator<Clause> {
  for (const part of sentence.split(/(?:[:;]|\s[–—-])\s+/)) {
    yield { clause: part, sentence, firmly: false }
    const [, ...later] = part.split(/,\s+/)
    if (introduction.test(part)) for (const clause of later) yield { clause, sentence, firmly: true }
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
  if (aboutTheAgent.some((pattern) => pattern.test(said)) || toThem.test(said)) return true
  const own = detectLanguage(said)
  const spoken = languages.filter((each) => (own === undefined ? each === 'en' || each === written : each === own))
  if (spoken.includes('de') && isGermanInfinitive(said)) return true
  if (spoken.includes('fr') && /^tu /i.test(said)) return true
  if (isIntroduced(said, spoken)) return true
  return clausesOf(said).some((clause) => isImperative(clause, spoken))
}
