import { isObject } from '../../json/object.ts'
import { type Fillings, filler } from '../../voice-platform/mapping/placeholders.ts'
import type { Change } from './table.ts'

/** Rendered texts, and what they are rendered from unless something else brings them, such as a template. */
const copies: [copy: RegExp, raw: RegExp][] = [
  [/^rendered\.first_message$/, /^firstMessage$/],
  [/^rendered\.end_call_message$/, /^endCallMessage$/],
  [/^rendered\.messages\b/, /^(model$|model\.messages\b|system_prompt$)/],
]

/** Characters that raw texts may have together once rendered: what is beyond them tells no copy. */
const maxRendered = 1_000_000

/** What the texts of a configuration are rendered with, and the prompt that ends its system message. */
export interface RenderedWith {
  name: string
  metadata: Fillings
  personality: string | null | undefined
}

/** The texts in a change's side: itself, or those of messages. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  const { content, messages } = value
  return textsIn(content ?? messages ?? Object.values(value))
}

/** Tells whether a text that is there now is told by one of these changes of raw texts. */
function shownBy(raws: readonly Change[], { name, metadata, personality }: RenderedWith): (text: string) => boolean {
  const fill = filler(name, metadata)
  const room = { left: maxRendered }
  const ending = personality ? fill(`\n\n${personality}`, room) : undefined
  const own = new Set(raws.flatMap(({ to }) => textsIn(to)).map((text) => fill(text, room)))
  const ended = (text: string) =>
    ending !== undefined && text.endsWith(ending) && own.has(text.slice(0, -ending.length))
  return (text) => text === '' || own.has(text) || ended(text)
}

/** A change of raw texts that are too large for a history says none of them. */
const isBare = ({ from, to }: Change) => from === undefined && to === undefined

/**
 * The changes without those of rendered texts that the change of what they are rendered from tells already. What
 * something else brings, such as a template that was named at the same time, is told.
 */
export function withoutCopies(changes: readonly Change[], renderedWith: RenderedWith): Change[] {
  const shown = copies.flatMap(([copy, raw]) => {
    const raws = changes.filter(({ path }) => raw.test(path))
    if (raws.length === 0) return []
    return [{ copy, isShown: raws.some(isBare) ? () => true : shownBy(raws, renderedWith) }]
  })
  return changes.filter(({ path, to }) => {
    const one = shown.find(({ copy }) => copy.test(path))
    return !one || !textsIn(to).every(one.isShown)
  })
}
