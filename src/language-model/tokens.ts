import { boundedCache } from '../runtime/bounded-cache.ts'

type CountTokens = (text: string, options: { disallowedSpecial: Set<string> }) => number

let loading: Promise<CountTokens> | undefined

/** The tokenizer's tables are large, so that they are loaded when they are first needed. */
const load = () => {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => countTokens)
  return loading
}

/** Text such as `<|endoftext|>` is text, wherever it comes from. */
const plain = { disallowedSpecial: new Set<string>() }

const longWord = /\S{32}/gu
const longGap = /\s{32}/g

/**
 * The tokenizer takes quadratic time on long runs without a space: 20,000 emoji take it 17 s. Cut into pieces of 32
 * they take 15 ms, and count a few percent more.
 */
const cut = (text: string) => text.replace(longWord, '$& ').replace(longGap, '$&.')

const maxCountedBytes = 4 * 1024 * 1024

/** The counts of texts: those of a thread are asked for several times in a turn, and again in the next. */
const counted = boundedCache<string, { text: string; tokens: number }>(maxCountedBytes, ({ text }) => 2 * text.length)

/** How many tokens a text has (o200k_base). */
export async function countTokens(text: string): Promise<number> {
  if (text === '') return 0
  const known = counted.get(text)
  if (known) return known.tokens
  const tokens = (await load())(cut(text), plain)
  counted.set(text, { text, tokens })
  return tokens
}

/** More than any call takes. */
const maxReported = 1_000_000_000

/** How many tokens a model says that a call took, where that can be; undefined for what is to be counted here. */
export const reportedTokens = (told: number | undefined): number | undefined =>
  Number.isSafeInteger(told) && told !== undefined && told >= 0 && told <= maxReported ? told : undefined
