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

const stems = (text: string) => new Set(indexedWords(text, 'en').terms.filter((term) => !term.includes('~')))

const isWithin = (part: ReadonlySet<string>, whole: ReadonlySet<string>) => part.size > 0 && part.isSubsetOf(whole)

/** Finds the notes that say what is to be forgotten, or less: all stems of the one are in the other. */
function finderIn(notes: readonly string[]) {
  let read: { note: string; said: Set<string> }[] | undefined
  const found = new Map<string, string[]>()
  return (gone: string): string[] => {
    if (everything.test(gone)) return [...notes]
    read ??= notes.map((note) => ({ note, said: stems(note) }))
    const wanted = stems(gone)
    const key = [...wanted].sort().join(' ')
    const about =
      found.get(key) ??
      read.filter(({ said }) => isWithin(wanted, said) || isWithin(said, wanted)).map(({ note }) => note)
    found.set(key, about)
    return about
  }
}

/** What is read of a sentence: a note is far shorter. */
const maxSentenceLength = 1_000

const sentencesIn = (text: string) =>
  text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.replaceAll(/\s+/g, ' ').slice(0, maxSentenceLength))

/** The local model's memory: simple rules over what a user says. */
export function learnByRules(userMessages: readonly string[], known: readonly string[]): MemoryChange {
  const add: string[] = []
  const remove = new Set<string>()
  const notesAbout = finderIn(known)
  for (const sentence of userMessages.flatMap(sentencesIn)) {
    if (sentence.trim().endsWith('?')) continue
    const gone = forgotten.exec(sentence)?.[1]
    if (gone !== undefined) {
      for (const note of notesAbout(gone)) remove.add(note)
      continue
    }
    const stated = remembered.exec(sentence)?.[1]
    if (stated !== undefined) {
      add.push(upperFirst(tidy(stated)))
      continue
    }
    for (const [pattern, note] of facts) {
      const [, first = '', second = ''] = pattern.exec(sentence) ?? []
      if (first !== '') add.push(upperFirst(tidy(note(first.trim(), tidy(second)))))
    }
  }
  return { add, remove: [...remove] }
}
