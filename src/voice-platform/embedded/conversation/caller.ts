import type { ChatMessage, Converse, Speaker } from '../../converse.ts'
import { isScenario, type Scenario } from '../../simulation.ts'

/** A caller as the conversation meets it. */
export interface Caller {
  /** What happens before anybody speaks. */
  answers: 'person' | 'machine' | 'busy' | 'nobody'
  /** What is said, one after the other; then the caller hangs up. */
  lines: readonly string[]
  /** Says nothing and does not hang up. */
  silent: boolean
  /** Who calls and what for, where a language model says the lines. */
  played?: string
}

const person = (...lines: string[]): Caller => ({ answers: 'person', lines, silent: false })

const scripts: Record<Scenario, Caller> = {
  question: person(
    'Hello, I have a question. What do you offer?',
    'And when are you open?',
    'Thank you, that is all. Goodbye.',
  ),
  booking: person(
    'Hello, I would like to book an appointment.',
    'Tomorrow at ten would suit me. My name is Alex Morgan.',
    'Yes, please. Thank you, goodbye.',
  ),
  goodbye: person('Sorry, I dialled the wrong number. Goodbye.'),
  silent: { answers: 'person', lines: [], silent: true },
  voicemail: { answers: 'machine', lines: ['Nobody can take your call. Please leave a message.'], silent: true },
  busy: { answers: 'busy', lines: [], silent: true },
  'no-answer': { answers: 'nobody', lines: [], silent: true },
}

/** The caller that says `messages`, follows a script, or is played as `scenario` says. */
export function callerOf({ messages, scenario = 'question' }: { messages?: readonly string[]; scenario?: string }) {
  const script: Caller = isScenario(scenario) ? scripts[scenario] : { ...person(), played: scenario }
  return messages
    ? { ...script, lines: messages, silent: script.silent && messages.length === 0, played: undefined }
    : script
}

const farewell = /\b(good\s?bye|bye|that is all|that's all)\b/i

/** Whether the caller takes leave. */
export const isFarewell = (line: string): boolean => farewell.test(line)

/** A played caller hangs up after so many lines. */
const maxPlayedLines = 12
const hangsUp = '[hangs up]'

const instructions = (scenario: string) =>
  `You play somebody who calls by phone; you are not the assistant that answers. Who you are and what you want: ${scenario}

Say only what the caller says next: one or two short sentences, in the language of the call, without quotes and without stage directions. Once you have what you want, or see that you will not get it, say goodbye. After your goodbye say only ${hangsUp}`

/** What is said when nobody greets. */
const answered: ChatMessage = { role: 'user', content: '(The call is answered.)' }

/** The sides of a conversation exchanged: the model speaks for the caller. */
const fromCaller = ({ role, content }: ChatMessage): ChatMessage => ({
  role: role === 'assistant' ? 'user' : 'assistant',
  content,
})

/**
 * The next line of a caller; undefined when it hangs up. `said` is the conversation so far, `spoken` how many lines of
 * it are the caller's. Throws what `converse` does.
 */
export async function nextLine(
  { lines, played }: Caller,
  spoken: number,
  said: readonly ChatMessage[],
  { converse, speaker }: { converse: Converse; speaker: Speaker },
): Promise<string | undefined> {
  if (played === undefined) return lines[spoken]
  const last = said.findLast(({ role }) => role === 'user')
  if (spoken >= maxPlayedLines || (last && isFarewell(last.content))) return undefined
  const prompt: ChatMessage = { role: 'system', content: instructions(played) }
  const heard = said[0]?.role === 'assistant' ? said : [{ ...answered, role: 'assistant' as const }, ...said]
  const reply = await converse([prompt, ...heard.map(fromCaller)], { ...speaker, onPhone: false, as: 'a caller' })
  const [line = ''] = reply.split(hangsUp)
  return line.trim() || undefined
}
