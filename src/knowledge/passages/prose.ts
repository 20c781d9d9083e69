import { fitting, tokensIn } from './size.ts'
import { unwrapped } from './unwrap.ts'

/** Lines such as titles are too short to be found alone: they go with what follows them. */
const shortTokens = 8

const question = /^\s*(?:q|question|frage|f|pregunta|p)\s*[:.)]\s/i
const listItem = /^\s*(?:[-*•]|\d+[.)])\s/

/** The paragraphs of a text; a question goes with its answer, an introduction with its list. */
function paragraphs(text: string): string[] {
  const found: string[] = []
  let joins = false
  for (const block of text.split(/\n[^\S\n]*\n/)) {
    const part = block.trim()
    if (part === '') continue
    const last = found.at(-1)
    const isTitle = tokensIn(part) < shortTokens && !/[.!?…]["”)]?$/.test(part) && !listItem.test(part)
    if (last !== undefined && (joins || (listItem.test(part) && last.endsWith(':')))) {
      found[found.length - 1] = `${last}\n${part}`
    } else found.push(part)
    joins = isTitle || (question.test(part) && !part.includes('\n')) || (part.endsWith('?') && !part.includes('\n'))
  }
  return found
}

/** Lines of a block that each start a question: `Q: ...` with the `A: ...` after it. */
function asked(block: string): string[] {
  if (!block.split('\n').some((line) => question.test(line))) return [block]
  const found: string[] = []
  for (const line of block.split('\n')) {
    const last = found.at(-1)
    if (last === undefined || question.test(line)) found.push(line)
    else found[found.length - 1] = `${last}\n${line}`
  }
  return found
}

/**
 * Running text in passages of one paragraph each, without breaks of lines in its sentences; long ones in several,
 * between sentences.
 */
export const prosePassages = (text: string): string[] =>
  paragraphs(unwrapped(text))
    .flatMap(asked)
    .flatMap((part) => fitting(part))
