import { maxWordLength } from '../words.ts'

/** A word of a text. */
export interface Token {
  /** In lower case. */
  word: string
  /** A single capital letter, which may name something: a size, a room, a vitamin. */
  isLetter: boolean
  from: number
  to: number
}

const letters = /\p{L}+/gu
/** What is written without a space and is no word: codes, amounts with their unit, addresses, names of files. */
const code = /[\d@_]|:\/\/|\p{L}\.\p{L}/u

/** The words of a text in their order, without those in codes and addresses. */
export const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/\S+/g)]
    .filter(([piece]) => !code.test(piece))
    .flatMap(({ 0: piece, index: start }) =>
      [...piece.matchAll(letters)].map(({ 0: raw, index }) => ({
        word: raw.slice(0, maxWordLength).toLowerCase(),
        isLetter: /^\p{Lu}$/u.test(raw),
        from: start + index,
        to: start + index + raw.length,
      })),
    )
