import { isObject } from '../../json/object.ts'
import { placeholder } from '../../voice-platform/mapping/placeholders.ts'
import type { Change } from './table.ts'

/** Rendered texts, and what they are rendered from unless something else brings them, such as a template. */
const copies: [copy: RegExp, raw: RegExp][] = [
  [/^rendered\.first_message$/, /^firstMessage$/],
  [/^rendered\.end_call_message$/, /^endCallMessage$/],
  [/^rendered\.messages\b/, /^(model$|model\.messages\b|system_prompt$)/],
]

/** Characters that are looked through to tell copies; what is left then counts as one. */
const maxRead = 2_000_000

/** The texts in a change's side: itself, or those of messages. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  const { content, messages } = value
  return textsIn(content ?? messages ?? Object.values(value))
}

/** The parts of a text between its placeholders. */
const literalsIn = (raw: string): string[] => raw.split(placeholder).filter((_, index) => index % 2 === 0)

/** Whether a text can be what a raw one became; a personality's prompt may follow it. */
function isRendered(text: string, literals: readonly string[]): boolean {
  const [start = '', ...others] = literals
  if (!text.startsWith(start)) return false
  let at = start.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at === text.length || text.startsWith('\n\n', at) || others.at(-1) === ''
}

/** Tells whether a text that is there now is told by one of these changes of raw texts. */
function shownBy(raws: readonly Change[], spend: (count: number) => boolean): (text: string) => boolean {
  const texts = raws.flatMap(({ to }) => textsIn(to))
  const plain = new Set(texts)
  const parts = texts.map(literalsIn)
  return (text) => text === '' || plain.has(text) || parts.some((one) => spend(text.length) || isRendered(text, one))
}

/** A change of raw texts that are too large for a history says none of them. */
const isBare = ({ from, to }: Change) => from === undefined && to === undefined

/**
 * The changes without those of rendered texts that the change of what they are rendered from tells already. What
 * something else brings, such as a template that was named at the same time, is told.
 */
export function withoutCopies(changes: readonly Change[]): Change[] {
  let read = 0
  const spend = (count: number) => {
    read += count
    return read > maxRead
  }
  const shown = copies.flatMap(([copy, raw]) => {
    const raws = changes.filter(({ path }) => raw.test(path))
    if (raws.length === 0) return []
    return [{ copy, isShown: raws.some(isBare) ? () => true : shownBy(raws, spend) }]
  })
  return changes.filter(({ path, to }) => {
    const one = shown.find(({ copy }) => copy.test(path))
    return !one || !textsIn(to).every(one.isShown)
  })
}
