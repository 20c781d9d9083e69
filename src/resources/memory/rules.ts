import type { MemoryChange } from './notes.ts'

/** One to three words. */
const name = "([\\p{L}'-]{1,40}(?: (?!and\\b|but\\b|i\\b)[\\p{L}'-]{1,40}){0,2})"

/** What a user says of themselves, and the note that it makes. */
const facts: [pattern: RegExp, note: (what: string) => string][] = [
  [new RegExp(`\\bmy name is\\s+${name}`, 'iu'), (what) => `The user's name is ${what}`],
  [new RegExp(`\\bcall me\\s+${name}`, 'iu'), (what) => `Wants to be called ${what}`],
  [/\bi prefer\s+(.+)/i, (what) => `Prefers ${what}`],
  [/\bi live in\s+(.+)/i, (what) => `Lives in ${what}`],
  [/\bi work (at|for|as|in)\s+(.+)/i, (what) => `Works ${what}`],
]

const remembered = /\b(?:remember|note|keep in mind)(?: that|:)\s+(.+)/i
const forgotten = /\bforget(?: that|:)\s+(.+)/i

const tidy = (text: string) => text.trim().replace(/(?<![.!,;\s])[.!,;\s]+$/, '')
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The local model's memory: simple rules over what a user says. */
export function learnByRules(userMessages: readonly string[], known: readonly string[]): MemoryChange {
  const change: MemoryChange = { add: [], remove: [] }
  const sentences = userMessages.flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
  for (const sentence of sentences) {
    if (sentence.trim().endsWith('?')) continue
    const gone = forgotten.exec(sentence)?.[1]
    if (gone !== undefined) {
      const wanted = tidy(gone).toLowerCase()
      change.remove.push(...known.filter((note) => note.toLowerCase().includes(wanted)))
      continue
    }
    const told = remembered.exec(sentence)?.[1]
    if (told !== undefined) {
      change.add.push(upperFirst(tidy(told)))
      continue
    }
    for (const [pattern, note] of facts) {
      const what = tidy(pattern.exec(sentence)?.slice(1).join(' ') ?? '')
      if (what !== '') change.add.push(upperFirst(note(what)))
    }
  }
  return change
}
