/** What a question wants to hear, as far as its form tells: a text that has no such thing seldom answers it. */
export interface Expected {
  /** Whether a text has it. */
  isIn(text: string): boolean
  /** The words of the question that say what is wanted, not what about: they are in no answer. */
  asking: RegExp
  /** Without it, a text is no answer: an address cannot be said in other words. */
  required?: boolean
}

const numberWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|eine?[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|halbe?[mnrs]?|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|medi[ao]|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quatorze|quinze|demi(?:e)?'
/** Begun where its digits begin: every digit of a long one would be tried otherwise. */
const number = `(?:(?<![\\d.,:])\\d+(?:[.,:]\\d+)*|(?<!\\p{L})(?:${numberWords})(?!\\p{L}))`
const words = (list: string) => `(?<!\\p{L})(?:${list})(?!\\p{L})`

const money = new RegExp(
  [
    '[€£$¥%]',
    `${number}\\s?${words('euros?|eur|gbp|usd|chf|pounds?|dollars?|dollar|pence|p|cents?|francs?|franken|pesos?|percent|prozent')}`,
    words(
      'free|nothing|no charge|gratis|kostenlos|kostenfrei|umsonst|gratuit\\p{L}*|offerte?s?|included|inbegriffen|incluid[oa]s?|comprise?s?|sin coste|sans frais',
    ),
  ].join('|'),
  'iu',
)
/** What stands before the value of a column of prices; its end, not the next of its kind, is looked for. */
const priceLabel = /(?:price|cost|fee|rate|per|preis|gebühr|precio|tarifa|prix|tarif|gbp|eur|usd)[\p{L}_ ]{0,40}:/iu

/** Whether one of the columns of a row is a price with its number. */
const hasPrice = (text: string): boolean =>
  text.split(';').some((column) => {
    const label = priceLabel.exec(column)
    return label !== null && /\d/.test(column.slice(label.index + label[0].length))
  })

const units =
  'seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|nächten?|wochen?|monate?n?|jahre?n?|segundos?|minutos?|horas?|días?|noches?|semanas?|mes(?:es)?|años?|secondes?|heures?|jours?|nuits?|semaines?|mois|ans?|années?'
const length = new RegExp(
  `${number}[\\p{L}\\s-]{0,14}?${words(units)}|${words(units)}[\\p{L}\\s_]{0,40}:\\s{0,9}\\d|\\d\\s?(?:h|min)(?!\\p{L})`,
  'iu',
)
const days =
  'mon|tues|wednes|thurs|fri|satur|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche'
const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre'
const clock = `(?<![€£$\\d.,]\\s?)\\d{1,2}[:.]\\d{2}(?![\\d.,]*\\s?(?:[€£$%]|\\d|euros?|eur|chf|francs?|franken))|\\d\\s?(?:am|pm|uhr|h)(?!\\p{L})|${words('noon|midnight|mittags?|mitternacht|mediodía|midi|minuit')}`
const timestamp = new RegExp(
  [
    clock,
    `(?<!\\p{L})(?:${days})(?:day|s)?s?(?!\\p{L})|(?<!\\p{L})(?:${months})(?!\\p{L})`,
    words(
      "daily|every day|weekends?|weekdays?|before|after|until|once|täglich|wochenenden?|vor|nach|bis|sobald|cada día|antes|después|hasta|fines de semana|tous les jours|avant|après|jusqu[’']?(?:à|au)|dès",
    ),
    `(?<!\\p{L})(?:a|desde) las? ${number}(?![\\p{L}ªº]|\\s+(?!de\\s|y\\s|en\\s|horas?)\\p{L})|o['’]clock`,
    length.source,
  ].join('|'),
  'iu',
)
const count = new RegExp(number, 'iu')

/** What is asked for, the more exact first. */
const kinds: readonly Expected[] = [
  {
    asking:
      /\b(?:e-?mail(?:[- ]?(?:address|adresse))?|mailadresse|correo electr[oó]nico|adresse (?:mail|e-mail)|courriel)\b(?=[^.]*\?)/giu,
    isIn: (text) => text.includes('@'),
    required: true,
  },
  {
    asking:
      /\bhow much(?= (?:is|are|does|do|did|will|would|for|to|it|the|a|an|per)\b|\?)|\b(?:cost|costs|price|prices|priced|pricing|fees?|expensive)\b|\b(?:wie ?viel|was)(?= kost| zahl| macht)|\bkoste(?:t|n)\b|\bwie teuer\b|\bpreise?s?\b|\bcuánto (?=cuesta|sale|vale|cobra|es\b|por)|\b(?:cuestan?|precios?|cobran?)\b|\bcombien(?= (?:coûte|ça|c['’]est|est|pour|faut-il payer|dois))|\b(?:coûte(?:nt)?|prix|tarifs?)\b/giu,
    isIn: (text) => money.test(text) || hasPrice(text),
  },
  {
    asking: /\bhow long\b|\bwie lange?\b|\bcuánto (?:tiempo|dura\p{L}*)|\bcombien de temps\b/giu,
    isIn: (text) => length.test(text) || timestamp.test(text),
  },
  {
    asking:
      /\b(?:when|what time|until when|how late|how early|how soon)\b|\b(?:wann|wie spät|um wie viel uhr)\b|(?<!\p{L})(?:cuándo|a qué hora)(?!\p{L})|(?<!\p{L})(?:quand|à quelle heure)(?!\p{L})/giu,
    isIn: (text) => timestamp.test(text),
  },
  {
    asking:
      /\bhow (?:many|old|far|big|heavy|deep|fast)\b|\bwie (?:alt|weit|groß|schwer)\b|\bwie ?viele\b|\bcuánt[oa]s\b|\bcombien d(?:e |['’])/giu,
    isIn: (text) => count.test(text),
  },
]

/** What is looked at of a text for what is asked: a sentence is shorter. */
const maxLookedAt = 2_000

/** What a question wants to hear; undefined where its form does not tell. */
export function expectedBy(question: string): Expected | undefined {
  const beginning = question.slice(0, maxLookedAt)
  const found = kinds.find(({ asking }) => beginning.search(asking) >= 0)
  return found && { ...found, isIn: (text) => found.isIn(text.slice(0, maxLookedAt)) }
}
