import { indexedWords } from '../../knowledge/words.ts'
import { forgetRequestIn } from '../../language-model/local/forgetting.ts'
import type { MemoryDraft } from './notes.ts'
import { keyOf } from './slots.ts'

/** One to three words. */
const name = "([\\p{L}'-]{1,40}(?: (?!and\\b|but\\b|i\\b)[\\p{L}'-]{1,40}){0,2})"
/** A name of a place: words with capitals. */
const place = String.raw`((?:the )?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,3})(?![\p{L}'’-]| \p{Lu}| (?:plan|team|department|office|project)\b)`

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
  [
    new RegExp(
      `^(?:(?:[Yy]es|[Nn]o|[Ss]o|[Aa]nd|[Ww]ell|[Aa]ctually),? )*[Ii](?:['’]ve| have)?(?: (?:just|now|recently|finally))* moved to ${place}`,
      'u',
    ),
    (what) => `Lives in ${what}`,
  ],
  [/\bi (?:now )?work (at|for|as|in)\s+(.+)/i, (what, value) => `Works ${what} ${value}`],
]

const remembered =
  /(?:\b(?:remember|note|keep in mind)|(?:^|[,;] |\b(?:please|and|but|so) )(?:do not|don['’]?t|never) forget)(?: that|:)\s+(.+)/i
/** What no longer holds: "I don't live in Oslo any more". */
const ended = /\bi (?:do not|don['’]?t|no longer) ((?:live in|work (?:at|for|as|in)|prefer)\s.+)/i
const anyMore = / (?:any ?more|now)$/i

/** Words of a message that the rules act on at once. */
const atOnce =
  /\b(?:forget|remember|remembering|keep in mind|(?:delete|erase|remove) (?:what|everything|all|anything))\b/i

/** Whether a message may ask to remember or to forget something. */
export const mayAskToChange = (message: string): boolean => atOnce.test(message)

const tidy = (text: string) => text.trim().replace(/(?<![.!,;\s])[.!,;\s]+$/, '')
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const stems = (text: string) => new Set(indexedWords(text, 'en').terms.filter((term) => !term.includes('~')))

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const stem of part) if (!whole.has(stem)) return false
  return part.size > 0
}

/** Removes the notes that say what is to be forgotten, or less: all stems of the one are in the other. */
function forgetterOf(draft: MemoryDraft) {
  const read = new Map<string, Set<string>>()
  const stemsOf = (text: string) => {
    const found = read.get(text) ?? stems(text)
    read.set(text, found)
    return found
  }
  let notes: readonly string[] = []
  let said: { note: string; stems: Set<string> }[] = []
  const tried = new Set<string>()
  return (what: string) => {
    if (notes !== draft.notes()) {
      notes = draft.notes()
      said = notes.map((note) => ({ note, stems: stemsOf(note) }))
      tried.clear()
    }
    if (tried.has(what)) return
    tried.add(what)
    const wanted = stems(what)
    const meant = said.filter(({ stems }) => isWithin(wanted, stems) || isWithin(stems, wanted))
    draft.remove(meant.map(({ note }) => note))
  }
}

/** What is read of a sentence: a note is far shorter. */
const maxSentenceLength = 1_000

const sentencesIn = (text: string) =>
  text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.replaceAll(/\s+/g, ' ').slice(0, maxSentenceLength).trim())

/** The notes that a sentence makes. */
function* notesOf(sentence: string): Generator<string> {
  for (const [pattern, note] of facts) {
    const [, first = '', second = ''] = pattern.exec(sentence) ?? []
    if (first !== '') yield upperFirst(tidy(note(first.trim(), tidy(second))))
  }
}

/** The note that a text makes as a whole, where it is one fact; else the text. */
function noteOf(text: string): string {
  for (const [pattern, note] of facts) {
    const [all, first = '', second = ''] = pattern.exec(text) ?? []
    if (all === text) return upperFirst(tidy(note(first.trim(), tidy(second))))
  }
  return upperFirst(text)
}

/** The notes that say the same as one, or more about it. */
function notesThatBegin(draft: MemoryDraft, note: string): string[] {
  const beginning = `${keyOf(note)} `
  return draft.notes().filter((text) => `${keyOf(text).replace(/^the user /, '')} `.startsWith(beginning))
}

/** The local model's memory: simple rules over what a user says, in its order. */
export function learnByRules(userMessages: readonly string[], draft: MemoryDraft): void {
  const forget = forgetterOf(draft)
  const state = (sentence: string) => {
    if (sentence.endsWith('?')) return
    const stated = remembered.exec(sentence)?.[1]
    if (stated !== undefined) return draft.add(noteOf(tidy(stated)))
    const over = ended.exec(sentence)?.[1]
    if (over !== undefined) return draft.remove(notesThatBegin(draft, noteOf(`I ${tidy(over).replace(anyMore, '')}`)))
    for (const note of notesOf(sentence)) draft.add(note)
  }
  for (const sentence of userMessages.flatMap(sentencesIn)) {
    const request = forgetRequestIn(sentence)
    if (!request) state(sentence)
    else {
      state(request.before)
      if (request.isAll) draft.remove(draft.notes())
      else forget(request.what)
    }
  }
}
