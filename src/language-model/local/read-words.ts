import { indexedWords } from '../../knowledge/words.ts'
import { boundedCache } from '../../runtime/bounded-cache.ts'
import { createThreadShare } from '../../runtime/thread-share.ts'

/** The words of a text that may answer. */
export interface ReadText {
  said: ReadonlySet<string>
  /** The words of the heading that the text stands under. */
  under: ReadonlySet<string>
}

/** A word with its place in a set, in bytes. */
const bytesPerTerm = 64
const maxBytes = 4 * 1024 * 1024
/** Characters that are read before timers and sockets have their turn: some milliseconds. */
const charactersPerTurn = 6_000

/** Instructions and files are asked again and again, sentence by sentence. */
const known = boundedCache<string, ReadonlySet<string>>(maxBytes, ({ size }) => size * bytesPerTerm)
const thread = createThreadShare(charactersPerTurn)

/** The words of a text. */
export function wordsOf(text: string): ReadonlySet<string> {
  const before = known.get(text)
  if (before) return before
  const terms = new Set(indexedWords(text).terms)
  known.set(text, terms)
  return terms
}

/** Reads texts a few at a time, among what else there is to do. */
export async function readWords(texts: readonly { text: string; context: string }[]): Promise<ReadText[]> {
  const read: ReadText[] = []
  for (const { text, context } of texts) {
    if (known.get(text) === undefined) await thread(text.length + context.length)
    read.push({ said: wordsOf(text), under: wordsOf(context) })
  }
  return read
}
