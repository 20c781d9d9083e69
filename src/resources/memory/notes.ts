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
    .replaceAll(/\s+/g, ' ')
    .replace(/^[-*•\s]+/, '')
    .trim()
  if (line === '' || lengthOf(line) > maxNoteLength || refused.some((pattern) => pattern.test(line))) return undefined
  return line
}

const bulletsOf = (memory: string | null) => (memory ?? '').split('\n').filter((line) => line.startsWith('- '))
const textOf = (bullet: string) => bullet.replace(/^- (\[\d{4}-\d{2}-\d{2}\] )?/, '')
const keyOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Facts of which a person has one at a time, by how their notes begin. */
const slots: readonly RegExp[] = [
  /^(?:the user['’]s|user['’]s|my|their|his|her) ([^.:]{1,40}?) (?:is|are)\b/i,
  /^(?:the user |user )?(?:now )?(lives|living) in\b/i,
  /^(?:the user |user )?(wants to be called|goes by)\b/i,
  /^(?:the user |user )?(?:now )?works? (at|for|as)\b/i,
]

/** What a note is about, where a newer note about the same takes its place. */
function slotOf(note: string): string | undefined {
  for (const [index, pattern] of slots.entries()) {
    const what = pattern.exec(note)?.[1]
    if (what !== undefined) return `${index}:${keyOf(what)}`
  }
  return undefined
}

/** A bullet with a line break after it, and what it is about. */
interface Kept {
  bullet: string
  slot: string | undefined
  length: number
}

const keptOf = (bullet: string): Kept => ({ bullet, slot: slotOf(textOf(bullet)), length: lengthOf(bullet) + 1 })

/** The newest bullets that a memory has room for. */
function fitting(bullets: readonly Kept[]): Kept[] {
  let left = maxMemoryLength + 1
  const first = bullets.findLastIndex(({ length }) => {
    left -= length
    return left < 0
  })
  return bullets.slice(first + 1)
}

/**
 * A memory with a change applied: dated bullets, each said once, of at most 2,000 characters together; the oldest give
 * way, and one about the same thing as a newer one. Null when nothing is left.
 */
export function changedMemory(memory: string | null, { add, remove }: MemoryChange, now: Date): string | null {
  const dropped = new Set(remove.map(keyOf).filter((key) => key !== ''))
  let kept = bulletsOf(memory)
    .filter((bullet) => !dropped.has(keyOf(textOf(bullet))))
    .map(keptOf)
  const known = new Set(kept.map(({ bullet }) => keyOf(textOf(bullet))))
  const date = now.toISOString().slice(0, 10)
  for (const text of add) {
    const note = acceptable(text)
    if (note === undefined || known.has(keyOf(note))) continue
    known.add(keyOf(note))
    const added = keptOf(`- [${date}] ${note}`)
    if (added.slot !== undefined) kept = kept.filter(({ slot }) => slot !== added.slot)
    kept = fitting([...kept, added])
  }
  kept = fitting(kept)
  return kept.length > 0 ? kept.map(({ bullet }) => bullet).join('\n') : null
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
