/** What a look at new messages changes in a memory. */
export interface MemoryChange {
  add: string[]
  /** Texts of notes that no longer hold. */
  remove: string[]
}

/** How long a memory can get, in characters (code points). */
const longestMemory = 2_000
const maxNoteLength = 200

const refused: RegExp[] = [
  // Addresses of pages and files, and anything to click
  /https?:|www\.|\b[\w-]+\.(com|net|org|io|ru|cn|dev|app)\b/i,
  // Secrets
  /\b(password|passphrase|passcode|api[ _-]?key|secret|token|credential|private key|pin( code)?|cvv|iban|ssn)\b/i,
  /\b[A-Za-z0-9_-]*\d[A-Za-z0-9_-]{19,}\b|\b[A-Za-z0-9+/]{32,}={0,2}/,
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

/**
 * A memory with a change applied: dated bullets, each said once, of at most 2,000 characters together; the oldest give
 * way. Null when nothing is left.
 */
export function changedMemory(memory: string | null, { add, remove }: MemoryChange, now: Date): string | null {
  const dropped = remove.map(keyOf).filter((key) => key !== '')
  const kept = bulletsOf(memory).filter((bullet) => !dropped.includes(keyOf(textOf(bullet))))
  const known = new Set(kept.map((bullet) => keyOf(textOf(bullet))))
  const date = now.toISOString().slice(0, 10)
  for (const text of add) {
    const note = acceptable(text)
    if (note === undefined || known.has(keyOf(note))) continue
    known.add(keyOf(note))
    kept.push(`- [${date}] ${note}`)
  }
  while (lengthOf(kept.join('\n')) > longestMemory) kept.shift()
  return kept.length > 0 ? kept.join('\n') : null
}

/** The texts of a memory's bullets. */
export const notesIn = (memory: string | null): string[] => bulletsOf(memory).map(textOf)
