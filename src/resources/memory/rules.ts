import { indexedWords } from '../../knowledge/words.ts'
import { type ForgetRequest, forgetRequestIn } from '../../language-model/local/forgetting.ts'
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
/** Nobody asks for a note so, nor states a fact: "I don't remember that …". */
const unknown = /(?:\bnot|n['’]t|\bnever|\bcannot|\bdont|\bcant) (?:remember|note|keep in mind)\b/i
/** What no longer holds, and what is said after it: "I don't live in Oslo any more, I live in Bergen". */
const ended =
  /\bi (?:do not|don['’]?t|no longer) ((?:live in|work (?:at|for|as|in)|prefer)\s.+?)(?:$|(?:,| but| and) (.*))/i
const anyMore = / (?:any ?more|now)$/i

/** Words of a message that the rules act on at once. */
const atOnce =
  /\b(?:forget|remember|remembering|keep in mind|note(?: that|:)|(?:delete|erase|remove) (?:what|everything|all|anything))\b/i

/** Whether a message may ask to remember or to forget something. */
export const mayAskToChange = (message: string): boolean => atOnce.test(message)

const tidy = (text: string) => text.trim().replace(/(?<![.!,;\s])[.!,;\s]+$/, '')
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const stems = (text: string) => new Set(indexedWords(text, 'en').terms.filter((term) => !term.includes('~')))

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const stem of part) if (!whole.has(stem)) return false
  return part.size > 0
}

/** What is read of a sentence: a note is far shorter. */
const maxSentenceLength = 1_000
/** What is heard of one look: what people say in so many messages has fewer. */
export const maxSentences = 2_000

/** A line that ends in a colon goes on in the next one: "Translate this:". */
export const sentencesIn = (text: string) =>
  text
    .split(/(?<=[.!?])\s+|(?<![:\n])\n+/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').slice(0, maxSentenceLength).trim())

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

/** A text by its words, without the user whom it is about. */
const subjectKeyOf = (text: string) =>
  `${keyOf(text)
    .replace(/^(?:the )?user s /, 'my ')
    .replace(/^the user /, '')} `

const owned = String.raw`(?:my|our|(?:the )?user['’]s) ([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+){0,2})|(?!(?:it|that|he|she|what|who|where|there|here|how|let)['’])([\p{L}\p{N}-]+)['’]s `
const ownerOfNote = new RegExp(`^(?:${owned})`, 'iu')
const ownerOfRequest = new RegExp(String.raw`(?<![\p{L}\p{N}'’-])(?:${owned}|(?:i|me)(?![\p{L}\p{N}-]))`, 'iu')

/** Whom or what a text is about: the words that begin to name it, none for the user. */
const ownerIn = (found: RegExpExecArray | null) => (found?.[1] ?? found?.[2] ?? '').toLowerCase().split(' ')

function isSame(one: readonly string[], other: readonly string[]): boolean {
  const [first = ''] = one
  const [second = ''] = other
  return one.includes(second) || other.includes(first)
}

/** A note, or what was said, as it is compared with what is said later. */
export interface ReadNote {
  note: string
  key: string
  stems: Set<string>
  owner: string[]
}

/** Reads a note, or a sentence. */
export const readNote = (note: string): ReadNote => ({
  note,
  key: subjectKeyOf(note),
  stems: stems(note),
  owner: ownerIn(ownerOfNote.exec(note)),
})

/** Reads the notes of a memory as it is by then, each once. */
function readerOf(draft: MemoryDraft) {
  const known = new Map<string, ReadNote>()
  const read = (note: string) => {
    const found = known.get(note) ?? readNote(note)
    known.set(note, found)
    return found
  }
  let notes: readonly string[] = []
  let all: readonly ReadNote[] = []
  return () => {
    if (notes !== draft.notes()) {
      notes = draft.notes()
      all = notes.map(read)
    }
    return all
  }
}

/** The notes that say the same as one, or more about it. */
function notesThatBegin(notes: readonly ReadNote[], note: string): string[] {
  const beginning = subjectKeyOf(note)
  return notes.filter(({ key }) => key.startsWith(beginning)).map(({ note }) => note)
}

/** A thing to forget. */
interface Wanted {
  what: string
  stems: Set<string>
}

/** Who has a life of their own: what is said of them is not said of the user. */
const others =
  /^(?:(?:grand|step)?(?:mother|father|mum|mom|dad|parents?|son|daughter|child|children)|sister|brother|siblings?|kids?|baby|wife|husband|partner|fiancée?|ex|girlfriend|boyfriend|friends?|flatmate|roommate|boss|manager|colleagues?|neighbou?rs?|aunt|uncle|cousin|niece|nephew|family|team|doctor|teacher|dogs?|cats?|horse|pets?)$/

/**
 * Whether a note may be meant that has all that a request names: also one without an owner, or of what is the user's
 * own.
 */
const mayMean = (owner: readonly string[], noteOwner: readonly string[]): boolean =>
  isSame(owner, noteOwner) || noteOwner[0] === '' || (owner[0] === '' && !noteOwner.some((word) => others.test(word)))

/**
 * The notes that say as much or more of a thing to forget: those that begin alike, else those that have all its stems.
 */
function notesOn(notes: readonly ReadNote[], { what, stems: wanted }: Wanted): string[] {
  const alike = ownerOfRequest.test(what) ? notesThatBegin(notes, noteOf(what)) : []
  return alike.length > 0 ? alike : notesOfOwner(notes, what, ({ stems }) => isWithin(wanted, stems), mayMean)
}

/**
 * Those of the notes that are about whom a text is about, where it says so. What is said of somebody is nobody else's:
 * that a sister lives in Oslo is not where the user lives.
 */
function notesOfOwner(
  notes: readonly ReadNote[],
  text: string,
  isMeant: (note: ReadNote) => boolean,
  isTheirs: (owner: readonly string[], noteOwner: readonly string[]) => boolean,
): string[] {
  const named = ownerOfRequest.exec(text)
  const owner = ownerIn(named)
  return notes.filter((one) => isMeant(one) && (!named || isTheirs(owner, one.owner))).map(({ note }) => note)
}

/** Whether a part is about something of its own: it is not the end of a name such as "Smith and Sons". */
const isOwn = ({ what }: Wanted, index: number, [first]: readonly Wanted[]) =>
  index === 0 || ownerOfRequest.test(what) || !ownerOfRequest.test(first?.what ?? '')

/** The texts of the notes that a request means: as a whole, else in its parts, and those that say less than it does. */
export function notesToForget(notes: readonly ReadNote[], { what, parts }: ForgetRequest): string[] {
  if (notes.length === 0) return []
  const each = parts.map((part) => ({ what: part, stems: stems(part) }))
  const [first] = each
  const all = first && each.length === 1 ? first.stems : new Set(each.flatMap(({ stems }) => [...stems]))
  const found = notesOn(notes, { what, stems: all })
  if (found.length > 0) return found
  if (each.length > 1 && each.every(isOwn)) {
    const ofParts = each.map((part) => notesOn(notes, part))
    // "rock and roll" is one thing, and "my wife and I are vegan" is not about a wife.
    if (ofParts.every((some) => some.length > 0)) found.push(...ofParts.flat())
  }
  if (ownerOfRequest.test(what)) found.push(...notesOfOwner(notes, what, ({ stems }) => isWithin(stems, all), isSame))
  return found
}

/** The local model's memory: simple rules over what a user says, in its order. */
export function learnByRules(userMessages: readonly string[], draft: MemoryDraft): void {
  const notes = readerOf(draft)
  const state = (sentence: string) => {
    if (sentence.endsWith('?') || unknown.test(sentence)) return
    const stated = remembered.exec(sentence)?.[1]
    if (stated !== undefined) return draft.add(noteOf(tidy(stated)))
    const over = ended.exec(sentence)
    for (const note of notesOf(over ? sentence.slice(0, over.index) : sentence)) draft.add(note)
    if (!over) return
    draft.remove(notesThatBegin(notes(), noteOf(`I ${tidy(over[1] ?? '').replace(anyMore, '')}`)))
    state(over[2] ?? '')
  }
  const hear = (sentence: string) => {
    const request = forgetRequestIn(sentence)
    if (!request) return state(sentence)
    state(request.before)
    draft.remove(request.isAll ? draft.notes() : notesToForget(notes(), request))
    hear(request.after)
  }
  for (const sentence of userMessages.flatMap(sentencesIn).slice(-maxSentences)) hear(sentence)
}
