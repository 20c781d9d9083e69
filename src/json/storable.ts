import { parsedJson } from './parsed.ts'

/** An escape of a JSON text: a whole surrogate pair, one unit, or another character. */
const escapes = /\\(?:u(?:d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|[\da-f]{4})|[^u])/gi
/** NUL, and half of a surrogate pair. */
const bad = /^\\u(?:0000|d[89a-f][\da-f]{2})$/i
const maybeBad = /\\u(?:0000|d[89a-f])/i

/**
 * The value that a text from outside is the JSON of, as a database can keep it: a NUL and half of a surrogate pair, in
 * values and in names, are U+FFFD. Undefined where the text is no JSON.
 */
export const storableJson = (text: string): unknown =>
  parsedJson(maybeBad.test(text) ? text.replaceAll(escapes, (found) => (bad.test(found) ? '\\ufffd' : found)) : text)
