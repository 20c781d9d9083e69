import type { Scenario } from '../../simulation.ts'

/** A caller as the conversation meets it. */
export interface Caller {
  /** What happens before anybody speaks. */
  answers: 'person' | 'machine' | 'busy' | 'nobody'
  /** What is said, one after the other; then the caller hangs up. */
  lines: readonly string[]
  /** Says nothing and does not hang up. */
  silent: boolean
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

/** The caller that says `messages`, or follows a script. */
export function callerOf({ messages, scenario }: { messages?: readonly string[]; scenario?: Scenario }): Caller {
  const script = scripts[scenario ?? 'question']
  return messages ? { ...script, lines: messages, silent: script.silent && messages.length === 0 } : script
}

const farewell = /\b(good\s?bye|bye|that is all|that's all)\b/i

/** Whether the caller takes leave. */
export const isFarewell = (line: string): boolean => farewell.test(line)
