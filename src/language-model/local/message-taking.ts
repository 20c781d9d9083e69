import { languages } from '../../knowledge/language.ts'
import type { Conversation } from './conversation.ts'
import { phrasesIn } from './phrases.ts'

const agreed =
  /^(?:yes|yeah|yep|sure|ok|okay|please|of course|ja|gerne?|bitte|sí|si|claro|oui|volontiers|d['’]accord)(?!\p{L})/iu
const declined = /^(?:no|nope|nein|nee|non)(?!\p{L})/iu
/** An answer of no more words than these says yes or no, a longer one the message itself. */
const shortAnswer = 4

const lengthOf = (text: string) => text.split(/\s+/).length

/** What is said on the phone after the offer to take a message; undefined where something else is spoken of. */
export function messageTaking({ question, earlier }: Conversation): string | undefined {
  const last = earlier.at(-1)
  if (last?.role !== 'assistant') return undefined
  const said = last.text.trim()
  const spoken = languages.map(phrasesIn).find(({ offer, goAhead }) => offer === said || goAhead === said)
  if (!spoken) return undefined
  if (said === spoken.goAhead) return spoken.taken
  const answer = question.trim()
  if (agreed.test(answer)) return lengthOf(answer) <= shortAnswer ? spoken.goAhead : spoken.taken
  return declined.test(answer) && lengthOf(answer) <= shortAnswer ? spoken.otherwise : undefined
}
