import { isObject } from '../json/object.ts'
import { boundedCache } from '../runtime/bounded-cache.ts'
import { shortestFirst } from '../runtime/shortest-first.ts'
import { createThread } from '../runtime/thread.ts'

/** The tokenizer's tables take a third of a second to load, which the thread that serves must not wait for. */
const thread = createThread<string, number>('tokenizer', new URL('./token-worker.ts', import.meta.url))

/** All turns have their texts counted by the one thread: a short one does not wait for everybody's long ones. */
const count = shortestFirst<string, number>(({ length }) => length, thread.ask)

const maxCountedBytes = 4 * 1024 * 1024

/** The counts of texts: those of a thread are asked for several times in a turn, and again in the next. */
const counted = boundedCache<string, { text: string; tokens: number }>(maxCountedBytes, ({ text }) => 2 * text.length)

/** A longer text is counted in pieces, a few milliseconds each, between which those of others are. */
const pieceLength = 8_000

/** A text in pieces. No token holds the end of one word and the beginning of the next, so that they are cut there. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + pieceLength)
    const space = from + pieceLength < text.length ? piece.lastIndexOf(' ') : 0
    const whole = space > 0 ? piece.slice(0, space) : piece
    yield whole
    from += whole.length
  }
}

/** How many tokens a text has (o200k_base). */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0
  const known = counted.get(text)
  if (known) return known.tokens
  let tokens = 0
  for (const piece of piecesOf(text)) tokens += await count(piece)
  counted.set(text, { text, tokens })
  return tokens
}

/** More than any call takes. */
const maxReported = 1_000_000_000

/**
 * How many tokens a model says that a call took, where that can be; undefined for what is to be counted here. So is
 * zero, which the library makes of a number that the server leaves out (contract: billing 17): no prompt takes none,
 * nor does a text.
 */
export const reportedTokens = (count: number | undefined): number | undefined =>
  Number.isSafeInteger(count) && count !== undefined && count > 0 && count <= maxReported ? count : undefined

/**
 * How many tokens a model says that a call wrote. Where its total has more beside the prompt than it names, as of
 * reasoning, that is what it wrote, unless it is more than `most`, which the call could write.
 */
export function reportedWritten(
  { prompt, written, raw }: { prompt: number | undefined; written: number | undefined; raw: unknown },
  most = Number.POSITIVE_INFINITY,
): number | undefined {
  const named = reportedTokens(written)
  const total = isObject(raw) && typeof raw.total_tokens === 'number' ? reportedTokens(raw.total_tokens) : undefined
  const inTotal = (total ?? 0) - (reportedTokens(prompt) ?? Number.POSITIVE_INFINITY)
  return inTotal > (named ?? 0) && inTotal <= most ? inTotal : named
}
