import { detectLanguage } from '../../../knowledge/words.ts'
import { sentencesOf } from '../words.ts'
import { isConfidential, isConfidentialTitle } from './confidential.ts'
import { isDirective, price } from './directives.ts'
import { finiteVerbs } from './verbs.ts'

/** A sentence of an agent's instructions. */
export interface PromptSentence {
  text: string
  /** The heading that it stands under. */
  under: string
  /** Whether it tells the agent what to do. */
  isOrder: boolean
}

const listMark = /^\s*(?:[-*•>]|\d+[.)])\s+/
const hash = /^\s*#{1,6}\s+(?=\S)/
const wrapped = /^\s*(?:\*\*(?<bold>[^*]{1,80})\*\*:?|\[(?<square>[^\]]{1,80})\]|<(?<tag>[^<>/]{1,40})>)\s*$/
const sentenceEnd = /[.!?:;…]["”'’)]*\s*$/
/** A line that ends so goes on, whatever the next one begins with. */
const opened =
  /(?:,|(?<!\p{L})(?:a|an|the|and|or|of|in|at|on|for|to|with|by|from|der|die|das|und|oder|von|für|mit|de|la|el|y|en|le|les|et|du))\s*$/iu

/** Lines as they are meant: one that was broken is put together again. */
function linesOf(text: string): string[] {
  const lines: string[][] = []
  let last = ''
  for (const line of text.split('\n')) {
    const begins = listMark.test(line) || hash.test(line) || wrapped.test(line)
    const goesOn = last.trim() !== '' && !hash.test(last) && !wrapped.test(last) && !begins && !sentenceEnd.test(last)
    const current = lines.at(-1)
    if (current && goesOn && (/^\s*\p{Ll}/u.test(line) || (opened.test(last) && line.trim() !== ''))) {
      current.push(line.trim())
    } else lines.push([line.trim()])
    last = line
  }
  return lines.map((parts) => parts.join(' ')).filter((line) => line !== '')
}

/** What is below such a heading is an order also where it is no sentence: "Name and phone number". */
const ofOrders = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?<!house )rules?|style|tone|tasks?|role|goals?|(?:your|the) job|^job|duties|instructions?|guidelines?|behaviou?r|manner|steps?|procedure|workflow|script|flow|persona|personality|dos|objectives?|responsibilities|escalation|handling|never|always|regeln?|stil|ton|aufgaben?|rolle|anweisungen|verhalten|vorgehen|gesprächsablauf|reglas?|estilo|tono|tareas?|rol|objetivos?|instrucciones|pasos|comportamiento|règles?|tâches?|rôle|objectifs?|consignes?|étapes?|comportement)(?=$|[^\p{L}\s-]|\s*[–—(]|\s(?:and|or|of|for|when|with|during|on|to|guide|description|you|do|don['’]t|und|oder|für|bei|des|der|im|y|o|de|del|al|para|et|ou|du|pour)(?!\p{L}))`,
    String.raw`^how (?:to|you|you should) (?:speak|talk|sound|answer|reply|respond|behave|act|greet|help|handle|deal with|take (?:calls|messages|orders|bookings))(?!\p{L})`,
    String.raw`^(?:about you|who you are|what you (?:find out|ask|collect|say|do)|the conversation|conversation|ablauf(?: (?:des|eines) \p{L}*(?:gesprächs|anrufs))?|über dich|wer du bist|wie du (?:sprichst|antwortest|redest)|quién eres|qui tu es)\s*:?$`,
  ].join('|'),
  'iu',
)

const maxTitleWords = 6

/**
 * The heading that a line is; undefined for other lines. A title without a mark is one only where it is above orders.
 */
function headingOf(line: string): string | undefined {
  if (hash.test(line)) return line.replace(hash, '').trim()
  const { bold, square, tag } = wrapped.exec(line)?.groups ?? {}
  const marked = bold ?? square ?? tag
  if (marked !== undefined) return marked
  const isTitle = !listMark.test(line) && !/[.!?,]/.test(line) && line.split(/\s+/).length <= maxTitleWords
  return isTitle && /^[^:]*:?$/.test(line) && (ofOrders.test(line) || isConfidentialTitle(line)) ? line : undefined
}

const speaksOfUs =
  /^(?:we|our|it|there|they|all|wir|unsere?|es|nosotros|nuestr[ao]s?|hay|nous|notre|nos|il|elle)(?!\p{L})/iu
const asks =
  /^(?:what|how|when|where|why|who|which|whether|if|was|wie|wann|wo|wer|ob|qué|cómo|cuándo|quién|comment|quand|qui)(?!\p{L})/iu
const labelled = /^([^:]{1,60}):\s+(?!(?:the|a|an|their|by|der|die|das|el|la|los|las|le|les|du|des)\s)(?=\S)(.*)/iu

/** Whether a sentence under orders is none of them: it has a verb of its own, or names a value. */
function isStatement(sentence: string): boolean {
  if (asks.test(sentence)) return false
  const [, label, value = ''] = labelled.exec(sentence) ?? []
  if (label !== undefined) return !ofOrders.test(label) && !asks.test(value)
  const [beginning = ''] = sentence.split(/[,:;]/)
  return (
    speaksOfUs.test(sentence) ||
    price.test(sentence) ||
    beginning
      .toLowerCase()
      .split(/\s+/)
      .some((word) => finiteVerbs.has(word))
  )
}

const markOfAnswer = /^\s*(?:[-*•]\s+)?\**[AR]:/u
/** Of "Can I pay by card?" */
const answersAQuestion = /^(?:(?:yes|no|ja|nein|sí|oui|non)[,.]?\s+)?(?:you|du|sie|puedes?|vous|tu)\s/iu

/**
 * The sentences of an agent's instructions: what tells it what to do, and what it may tell.
 * @param most how many are read, about
 */
export function promptSentences(text: string, most = Number.POSITIVE_INFINITY): PromptSentence[] {
  const found: PromptSentence[] = []
  const written = detectLanguage(text)
  let [under, ordered, listed, hidden, asked] = ['', false, false, false, false]
  for (const line of linesOf(text)) {
    if (found.length >= most) break
    const heading = headingOf(line)
    if (heading !== undefined) {
      hidden = isConfidentialTitle(heading)
      ordered = ofOrders.test(heading)
      under = ordered || hidden ? '' : heading
      ;[listed, asked] = [false, false]
      continue
    }
    if (!listMark.test(line)) listed = false
    let isHidden = hidden || isConfidential(line)
    let isAnswer = asked && markOfAnswer.test(line)
    for (const sentence of sentencesOf(line, most - found.length)) {
      isHidden ||= isConfidential(sentence)
      isAnswer ||= asked && answersAQuestion.test(sentence)
      const isOrder =
        isHidden || (!isAnswer && (isDirective(sentence, written) || ((ordered || listed) && !isStatement(sentence))))
      found.push({ text: sentence, under, isOrder })
      asked = sentence.endsWith('?') && !isOrder
      if (isOrder && line.endsWith(':')) listed = true
    }
  }
  return found
}
