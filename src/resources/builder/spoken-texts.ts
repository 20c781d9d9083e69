import type { BuildBody } from './schema.ts'

/**
 * The greeting and the end-call text that a body says, each of which has two spellings: where both are sent, null among
 * them, the first counts (contract: builder 11). Undefined for one that is not sent.
 */
export const spokenTexts = ({ first_message, firstMessage, end_call_message, endCallMessage }: BuildBody) => ({
  firstMessage: first_message === undefined ? firstMessage : first_message,
  endCallMessage: end_call_message === undefined ? endCallMessage : end_call_message,
})
