import { indexedWords } from '../../knowledge/words.ts'
import type { MemoryChange } from './notes.ts'

/** One to three words. */
const name = "([\\p{L}'-]{1,40}(?: (?!and\\b|but\\b|i\\b)[\\p{L}'-]{1,40}){0,2})"

/** What a user says of themselves, and the note that it makes. */
const facts: [pattern: RegExp, note: (what: string, value: string) => string][] = [
  [new RegExp(`\\bmy name is\\s+${name}`, 'iu'), (what) => `The user's name is ${what}`],
  [new RegExp(`\\bcall me\\s+${name}`, 'iu'), (what) => `Wants to be called ${what}`],
  [
    /\bmy ((?!name\b)[\p{L}][\p{L} -]{0,30}?) (?:is|are)(?: now)?\s+(.+)/iu,
    (what, value) => `The user's ${what} is ${value}`,
  ],
  [/\bi prefer\s+(.+)/i, (what) => `Prefers ${what}`],
  [/\bi (?:now )?live in\s+(.+)/i, (what) => `Lives in ${tidy(what).replace(/ now$/i, '')}`],
  [/\bi (?:now )?work (at|for|as|in)\s+(.+)/i, (what, value) => `Works ${what} ${value}`],
]

const remembered = /\b(?:remember|note|keep in mind)(?: that|:)\s+(.+)/i
const forgotten = /\bforget(?:\s+(?:that|about|what|where|who|how|when)\b|:)*\s+(.+)/i
const everything = /^(?:everything|all)\b/i

const tidy = (text: string) => text.trim().replace(/(?<![.!,;\s])[.!,;\s]+$/, '')
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const stems = (text: string) => indexedWords(text, 'en').terms.filter((term) => !term.includes('~'))

/** Whether a note says what is to be forgotten, or less: all stems of the one are in the other. */
function isAbout(note: string, gone: string): boolean {
  const [said, wanted] = [stems(note), stems(gone)]
  if (wanted.length === 0 || said.length === 0) return false
  return wanted.every((stem) => said.includes(stem)) || said.every((stem) => wanted.includes(stem))
}

/** What is read of a sentence: a note is far shorter. */
const maxSentenceLength = 1_000

const sentencesIn = (text: string) =>
  text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.replaceAll(/\s+/g, ' ').slice(0, maxSentenceLength))

/** The local model's memory: simple rules over what a user says. */
export function learnByRules(userMessages: readonly string[], known: readonly string[]): MemoryChange {
  const change: MemoryChange = { add: [], remove: [] }
  for (const sentence of userMessages.flatMap(sentencesIn)) {
    if (sentence.trim().endsWith('?')) continue
    const gone = forgotten.exec(sentence)?.[1]
    if (gone !== undefined) {
      change.remove.push(...known.filter((note) => everything.test(gone) || isAbout(note, gone)))
      continue
    }
    const stated = remembered.exec(sentence)?.[1]
    if (stated !== undefined) {
      change.add.push(upperFirst(tidy(stated)))
      continue
    }
    for (const [pattern, note] of facts) {
      const [, first = '', second = ''] = pattern.exec(sentence) ?? []
      if (first !== '') change.add.push(upperFirst(tidy(note(first.trim(), tidy(second)))))
    }
  }
  return change
}
