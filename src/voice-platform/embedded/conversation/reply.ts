import { promptSentences } from '../../../language-model/local/orders/prompt-sentences.ts'
import type { ChatMessage, Converse } from '../../converse.ts'

/** What a prompt tells; what it orders the assistant to do is said to no caller. */
const sentences = (prompt: string) => promptSentences(prompt).flatMap(({ text, isOrder }) => (isOrder ? [] : [text]))
const words = (text: string) => new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])

const greeting = 'Hello, how can I help you?'
const nothingFound = 'Let me take a note of that. Is there anything else?'

/**
 * Answers without a model: with the sentence of the prompt that shares most words with what was said last. For a
 * platform that was given no language model.
 */
export const replyFromPrompt: Converse = async (messages: readonly ChatMessage[]) => {
  const last = messages.findLast(({ role }) => role === 'user')
  if (!last) return greeting
  const said = words(last.content)
  const known = messages.filter(({ role }) => role === 'system').flatMap(({ content }) => sentences(content))
  const ranked = known
    .map((sentence) => ({ sentence, shared: words(sentence).intersection(said).size }))
    .sort((a, b) => b.shared - a.shared)
  const [best] = ranked
  return best && best.shared > 0 ? best.sentence : nothingFound
}
