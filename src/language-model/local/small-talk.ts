import type { Sources } from '../prompt.ts'
import type { Conversation } from './conversation.ts'
import { forgetRequestIn } from './forgetting.ts'

const greeting =
  /^(hi|hello|hey|hallo|greetings|good (morning|afternoon|evening|day))( there| again| everyone)?[\s!.,]*$/i
const thanks = /^(thanks|thank you|thx|cheers)\b[^?]{0,40}$/i
const goodbye = /^(bye|goodbye|see you|good night)\b[^?]{0,30}$/i
const aboutAgent =
  /\b(who|what) are you\b|\bwhat('?s| is) your (name|job|role|purpose)\b|\bwhat (can|do) you do( for me| here)?\s*[?!.]*$|\bintroduce yourself\b/i
const aboutThread =
  /\bwhat (did|have) i (just )?(say|said|ask|asked|tell|told|write|written)\b|\bmy (last|previous|first|earlier) (message|question)\b|\bsummar(y|ise|ize)\b.*\b(chat|conversation|thread)\b/i
const telling =
  /^(please )?((remember|note|keep in mind)\b(?! to\b)|(do not|don['’]?t) forget( that|:))|^(my name is|i am called|call me|i prefer|i live in|i work (at|as|for|in))\b/i

/** Where another sentence begins. */
const another = /(?<!\bSt)[.!?]\s|\n/
const thanked = /(?<=[.!])\s*(?:many )?(?:thanks|thank you|thx|cheers)\b[^.!?\n]{0,20}[.!]*$/i

/** What a model is told that has to speak first on the phone. */
const callBegins = /^\(the call begins\b/i

const introduction = ({ agentName, description }: Sources) =>
  `I am ${agentName}.${description ? ` ${description}` : ''}`

function recall({ earlier }: Conversation, question: string): string {
  const said = earlier.filter(({ role }) => role === 'user').map(({ text }) => `"${text.slice(0, 300)}"`)
  const [first] = said
  const last = said.at(-1)
  if (first === undefined || last === undefined) return 'This is your first message in this conversation.'
  if (/\bfirst\b/i.test(question)) return `Your first message was: ${first}`
  if (/\b(last|previous|just)\b/i.test(question)) return `Your message before this one was: ${last}`
  return `So far you have said:\n${said
    .slice(-10)
    .map((text) => `- ${text}`)
    .join('\n')}`
}

/** What is looked at for what a message is about: in a page that is pasted in, such words mean nothing. */
const maxTalkLength = 500

/** The answer to what needs no search: greetings, thanks, questions about the agent and the thread, and being told. */
export function smallTalk(sources: Sources, conversation: Conversation): string | undefined {
  const question = conversation.question.trim()
  const beginning = question.slice(0, maxTalkLength)
  if (sources.onPhone && callBegins.test(question)) return 'Hello! How can I help you?'
  if (greeting.test(question) && sources.onPhone) return 'Hello! What would you like to know?'
  if (greeting.test(question)) return `Hello! ${introduction(sources)} What would you like to know?`
  if (thanks.test(question)) return 'You are welcome. Is there anything else?'
  if (goodbye.test(question)) return 'Goodbye!'
  if (aboutAgent.test(beginning)) return introduction(sources)
  if (aboutThread.test(beginning)) return recall(conversation, question)
  if (telling.test(question) && !question.includes('?')) return `Noted: "${question.slice(0, 300)}"`
  const asked = question.replace(thanked, '')
  if (!another.test(asked) && forgetRequestIn(asked)?.before === '') return 'I will forget that.'
  return undefined
}
