import { phraseOf } from '../../../language-model/local/phrases.ts'
import { isFarewell } from './caller.ts'
import { type Conversation, type Turn, turnsOf } from './conversation.ts'

const successful =
  /^(customer-ended-call|assistant-ended-call|assistant-said-end-call-phrase|assistant-forwarded-call)$/

/** Replies in which nothing is said of what was asked, in the words of language models. */
const declines: readonly RegExp[] = [
  /\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|(?:am|are|['’]m|['’]re) (?:not able|unable) to) (?:\w+ )?(?:help|assist|answer|tell|say|do that|find|provide|share|access)\b/i,
  /\b(?:do not|don['’]t) (?:\w+ )?(?:know|have (?:that|this|any|the|access|information|details))\b|\bno information\b/i,
  /\b(?:kann|können) (?:ich|wir) .{0,40}\bnicht\b|\bweiß ich .{0,20}nicht\b|\bkeine (?:information|auskunft|angaben)/i,
  /\bno (?:le |te )?(?:puedo|podemos) (?:ayudar|responder|decir|dar)|\bno lo sé\b|\bno (?:tengo|dispongo de) (?:esa |esta )?información/i,
  /\bje ne (?:peux|sais|dispose) pas|\bje n['’]ai pas (?:cette |d['’])?information/i,
]

const thanks = /^(?:thanks|thank you|thx|danke|vielen dank|gracias|muchas gracias|merci)(?!\p{L})[^?]{0,40}$/iu
const yesOrNo = /^(?:yes|yeah|yep|sure|ok|okay|no|nope|ja|nein|gerne|sí|si|claro|oui|non)(?!\p{L})(?:[\s,]+\S+){0,2}$/iu

const asksNothing = (line: string) =>
  !line.includes('?') && (isFarewell(line) || thanks.test(line) || yesOrNo.test(line))

/** Whether each thing that the caller asked or wanted got an answer; a message that was taken settles what it is about. */
function requestsOf(turns: readonly Turn[]): boolean[] {
  const requests: boolean[] = []
  for (const [at, { role, text }] of turns.entries()) {
    if (role !== 'user') continue
    const reply = turns[at + 1]
    const said = reply?.role === 'assistant' ? reply.text : undefined
    const phrase = said === undefined ? undefined : phraseOf(said)
    if (phrase === 'taken') requests.splice(-1, 1, true)
    if (phrase === 'taken' || phrase === 'goAhead' || phrase === 'otherwise' || asksNothing(text.trim())) continue
    requests.push(said !== undefined && phrase === undefined && !declines.some((words) => words.test(said)))
  }
  return requests
}

/**
 * Whether a call succeeded, by rules: it came to its end, and most of what the caller asked was answered; of two halves
 * that counts in which the first question is, which is what the call was made for.
 */
export function isSuccess(conversation: Conversation): boolean {
  if (!successful.test(conversation.endedReason)) return false
  const requests = requestsOf(turnsOf(conversation))
  // Somebody else goes on with what was wanted last.
  if (conversation.destination !== undefined) requests.splice(-1, 1, true)
  const answered = requests.filter(Boolean).length
  const half = requests.length / 2
  return answered > half || (answered === half && requests[0] === true)
}
