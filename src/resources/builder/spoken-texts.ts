import type { BuildBody } from './schema.ts'

/** What two spellings of a field say together: a value rather than null, and the first of two values. */
const either = <T>(first: T | null | undefined, second: T | null | undefined): T | null | undefined =>
  first ?? (second === undefined ? first : second)

/**
 * The greeting and the end-call text that a body says, each of which has two spellings (contract: builder 11).
 * Undefined for one that is not sent.
 */
export const spokenTexts = ({ first_message, firstMessage, end_call_message, endCallMessage }: BuildBody) => ({
  firstMessage: either(first_message, firstMessage),
  endCallMessage: either(end_call_message, endCallMessage),
})
