import { keyOf, slotOf } from './slots.ts'

/** What a look at new messages changes in a memory. */
export interface MemoryChange {
  add: string[]
  /** Texts of notes that no longer hold. */
  remove: string[]
}

/** How long a memory can get, in characters (code points). */
const maxMemoryLength = 2_000
const maxNoteLength = 200

const refused: RegExp[] = [
  // Addresses of pages and files, and anything to click
  /https?:|www\.|[\w-]\.(com|net|org|io|ru|cn|dev|app)\b/i,
  // Secrets
  /\b(password|passphrase|passcode|api[ _-]?key|secret|token|credential|private key|pin( code)?|cvv|iban|ssn)\b/i,
  /\d[\w-]{19}|[A-Za-z0-9+/]{32}/,
  /(?:\d[ -]?){12,}/,
  // Orders to the assistant
  /\b(ignore|disregard|override|pretend|jailbreak)\b|\bsystem prompt\b|\b(previous|prior|above) (instructions|rules)\b/i,
  /^(always|never|do not|don['’]t|do|you|must|answer|respond|reply|say|act|behave|obey|follow|send|call|run|execute|use|reveal|print|write|output|tell|give|make|assistant)\b/i,
  /\b(you|the assistant|the ai|the bot|the agent) (must|should|shall|will|have to|has to|need to|needs to|can|may|are|is)\b/i,
  /[<>{}`]/,
]

const lengthOf = (text: string) => [...text].length

/** A note in one line, or undefined when it must not be kept: links, secrets, orders to the assistant, far too long. */
function acceptable(text: string): string | undefined {
  const line = text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .replace(/^[-*•\s]+/, '')
    .trim()
  if (line === '' || lengthOf(line) > maxNoteLength || refused.some((pattern) => pattern.test(line))) return undefined
  return line
}

const bulletsOf = (memory: string | null) => (memory ?? '').split('\n').filter((line) => line.startsWith('- '))
const textOf = (bullet: string) => bullet.replace(/^- (\[\d{4}-\d{2}-\d{2}\] )?/, '')

/** A bullet with a line break after it, what it says, and what it is about. */
interface Kept {
  bullet: string
  text: string
  key: string
  slot: string | undefined
  length: number
}

function keptOf(bullet: string): Kept {
  const text = textOf(bullet)
  return { bullet, text, key: keyOf(text), slot: slotOf(text), length: lengthOf(bullet) + 1 }
}

/** The newest bullets that a memory has room for. */
function fitting(bullets: readonly Kept[]): Kept[] {
  let left = maxMemoryLength + 1
  const first = bullets.findLastIndex(({ length }) => {
    left -= length
    return left < 0
  })
  return bullets.slice(first + 1)
}

/** A memory while it is changed. */
export interface MemoryDraft {
  /** The texts of its notes, oldest first: the same list until it is changed. */
  notes(): readonly string[]
  /**
   * Adds a note that it has not, if it may be kept; the oldest give way to it.
   * @param replaces whether the note about the same thing gives way as well
   */
  add(text: string, replaces?: boolean): void
  /** Removes the notes that say these texts. */
  remove(texts: Iterable<string>): void
}

/**
 * A memory with a change applied: dated bullets, each said once, of at most 2,000 characters together. Null when
 * nothing is left.
 */
export function changedMemory(memory: string | null, change: (draft: MemoryDraft) => void, now: Date): string | null {
  let kept = bulletsOf(memory).map(keptOf)
  let texts = kept.map(({ text }) => text)
  const become = (bullets: Kept[]) => {
    kept = bullets
    texts = kept.map(({ text }) => text)
  }
  const date = now.toISOString().slice(0, 10)
  change({
    notes: () => texts,
    add(text, replaces = true) {
      const note = acceptable(text)
      if (note === undefined) return
      const added = keptOf(`- [${date}] ${note}`)
      if (kept.some(({ key }) => key === added.key)) return
      const others = replaces && added.slot !== undefined ? kept.filter(({ slot }) => slot !== added.slot) : kept
      become(fitting([...others, added]))
    },
    remove(texts) {
      const gone = new Set(Iterator.from(texts).map(keyOf))
      if (gone.size > 0) become(kept.filter(({ key }) => !gone.has(key)))
    },
  })
  kept = fitting(kept)
  return kept.length > 0 ? kept.map(({ bullet }) => bullet).join('\n') : null
}

/**
 * Changes a memory as a language model says that knew these notes. What it names as no longer true goes, and then
 * nothing else does; what its owner removed meanwhile does not come back.
 */
export function applyChange(draft: MemoryDraft, { add, remove }: MemoryChange, known: readonly string[]): void {
  const read = new Set(known.map(keyOf))
  const kept = new Set(draft.notes().map(keyOf))
  const gone = read.difference(kept)
  const namesNone = read.union(kept).isDisjointFrom(new Set(remove.map(keyOf)))
  draft.remove(remove)
  for (const text of add) if (!gone.has(keyOf(text))) draft.add(text, namesNone)
}

/** The texts of a memory's bullets. */
export const notesIn = (memory: string | null): string[] => bulletsOf(memory).map(textOf)

/** A note as it is listed: its text, the day of it, and an id that stays while the note does. */
export interface ListedNote {
  id: string
  date: string | null
  text: string
}

/** The notes of a memory. */
export const listedNotes = (memory: string | null): ListedNote[] =>
  bulletsOf(memory).map((bullet) => ({
    id: Bun.hash(bullet).toString(36),
    date: /^- \[(\d{4}-\d{2}-\d{2})\]/.exec(bullet)?.[1] ?? null,
    text: textOf(bullet),
  }))

/** A memory without one of its notes; undefined when it has none of that id. */
export function withoutNote(memory: string | null, id: string): { memory: string | null } | undefined {
  const bullets = bulletsOf(memory)
  const kept = bullets.filter((bullet) => Bun.hash(bullet).toString(36) !== id)
  if (kept.length === bullets.length) return undefined
  return { memory: kept.length > 0 ? kept.join('\n') : null }
}
