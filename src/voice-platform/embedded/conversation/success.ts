import { phraseOf } from '../../../language-model/local/phrases.ts'
import { textOf } from '../../mapping/settings.ts'
import { isFarewell } from './caller.ts'
import type { Conversation } from './conversation.ts'

const successful =
  /^(customer-ended-call|assistant-ended-call|assistant-said-end-call-phrase|assistant-forwarded-call)$/

/**
 * Replies in which nothing is said of what was asked, in the words of language models: who speaks does not know, or
 * cannot help. That there is none, or that it cannot be done, is an answer.
 */
const declines: readonly RegExp[] = [
  /\b(?:I|we)(?:['’](?:m|re)| am| are)? (?:\w+ )?(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|not able to|unable to) (?:\w+ )?(?:(?:help|assist|answer|tell|say|do that|find|access)\b|(?:provide|share|give) (?:\w+ ){0,4}(?:information|details|advice|answers?|that|this)\b)/iu,
  /\b(?:I|we) (?:\w+ )?(?:do not|don['’]t) (?:\w+ )?(?:know\b|have (?:(?:that|this|the|any|an|your|enough|more|further|such|specific) ){0,3}(?:information|details|answers?)\b)/iu,
  /\bI (?:\w+ )?(?:do not|don['’]t) (?:\w+ )?have (?:\w+ )?access\b|\b(?:I|we) have no (?:\w+ )?(?:information|details|access)\b|\bthere is no (?:\w+ )?information\b/iu,
  /(?<!\p{L})(?:(?:kann|können) (?:ich|wir)|(?:ich|wir) (?:kann|können)) [^.?!]{0,40}(?<!\p{L})nichts? (?:\p{L}+ )?(?:(?:weiter)?helfen|sagen|beantworten|mitteilen)(?!\p{L})/iu,
  /(?<!\p{L})(?:wei(?:ß|ss) ich|ich wei(?:ß|ss)|wissen wir|wir wissen)(?!\p{L})[^.?!]{0,20} nicht(?!\p{L})/iu,
  /(?<!\p{L})(?:habe ich|ich habe|haben wir|wir haben|kann ich|ich kann|können wir|wir können|liegen (?:mir|uns)|mir liegen|uns liegen)(?!\p{L})[^.?!]{0,40} keine (?:\p{L}+ )?(?:information|auskunft|angaben)/iu,
  /(?<!\p{L})no (?:le |te |les )?(?:puedo|podemos) (?:(?:ayudar|responder|contestar|decir)\p{L}*|dar(?:le|te|les)? (?:\p{L}+ ){0,3}información)(?!\p{L})/iu,
  /(?<!\p{L})no lo (?:sé|sabemos)(?!\p{L})|(?<!\p{L})no (?:tengo|tenemos|dispongo de|disponemos de) (?:\p{L}+ )?información/iu,
  /(?<!\p{L})(?:je ne peux|nous ne pouvons) (?:\p{L}+ )?pas (?:(?:vous |te |y |le )*(?:aider|répondre|dire|renseigner)|(?:vous |te )?donner (?:\p{L}+ |d['’])information)/iu,
  /(?<!\p{L})(?:je ne (?:le )?sais|nous ne (?:le )?savons) pas(?!\p{L})|(?<!\p{L})(?:je ne dispose|nous ne disposons|je n['’]ai|nous n['’]avons) pas (?:de )?(?:\p{L}+ |[dl]['’])?information/iu,
]

const thanks = /^(?:thanks|thank you|thx|danke|vielen dank|gracias|muchas gracias|merci)(?!\p{L})[^?]{0,40}$/iu
const yesOrNo = /^(?:yes|yeah|yep|sure|ok|okay|no|nope|ja|nein|gerne|sí|si|claro|oui|non)(?!\p{L})(?:[\s,]+\S+){0,2}$/iu

const asksNothing = (line: string) =>
  !line.includes('?') && (isFarewell(line) || thanks.test(line) || yesOrNo.test(line))

/** A line of the caller, and the first thing that was said to it. */
export interface Request {
  text: string
  reply: string | undefined
  /** Whether the line was handed over. */
  handedOver: boolean
}

/**
 * The lines of the caller with their replies. A hand-over is none, nor is what is said with it: the destination's
 * message, and the greeting of who takes over.
 */
export function requestsIn({ happenings }: Pick<Conversation, 'happenings'>): Request[] {
  const requests: Request[] = []
  let greeting: string | undefined
  for (const happening of happenings) {
    const request = requests.at(-1)
    if (happening.kind === 'handed-over') {
      greeting = happening.to.assistant.firstMessage?.trim()
      if (request) {
        request.reply = undefined
        request.handedOver = true
      }
    }
    if (happening.kind === 'forwarded' && request) {
      const message = textOf(happening.destination.message)?.trim()
      if (request.reply === message) request.reply = undefined
    }
    if (happening.kind !== 'said') continue
    const { role, text } = happening.turn
    if (role === 'user') {
      requests.push({ text, reply: undefined, handedOver: false })
      greeting = undefined
    } else if (request && text !== greeting) request.reply ??= text
  }
  return requests
}

/**
 * Whether each thing that the caller asked or wanted got an answer; a message that was taken settles what it is about,
 * and what is asked after a hand-over what led there.
 */
function answersIn(conversation: Conversation): boolean[] {
  const answers: boolean[] = []
  let isOpen = false
  for (const { text, reply, handedOver } of requestsIn(conversation)) {
    const phrase = reply === undefined ? undefined : phraseOf(reply)
    if (phrase === 'taken') answers.splice(-1, 1, true)
    if (phrase === 'taken' || phrase === 'goAhead' || phrase === 'otherwise' || asksNothing(text.trim())) continue
    isOpen = handedOver && reply === undefined
    if (isOpen) continue
    answers.push(reply !== undefined && phrase === undefined && !declines.some((words) => words.test(reply)))
  }
  return isOpen ? [...answers, false] : answers
}

/**
 * Whether a call succeeded, by rules: it came to its end, and most of what the caller asked was answered; of two halves
 * that counts in which the first question is, which is what the call was made for.
 */
export function isSuccess(conversation: Conversation): boolean {
  if (!successful.test(conversation.endedReason)) return false
  const requests = answersIn(conversation)
  // Somebody else goes on with what was wanted last.
  if (conversation.destination !== undefined) requests.splice(-1, 1, true)
  const answered = requests.filter(Boolean).length
  const half = requests.length / 2
  return answered > half || (answered === half && requests[0] === true)
}
