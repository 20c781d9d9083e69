import { element } from './element.ts'
import { markdown } from './markdown.ts'

const fences = /^ {0,3}```/gm

/**
 * A text that is still being written, with what is begun in its last line shown as it will be: bold, italic and code
 * are closed, of a link there is its label.
 */
export function closed(text: string): string {
  const isCode = (text.match(fences)?.length ?? 0) % 2 === 1
  if (isCode) return text
  const start = text.lastIndexOf('\n') + 1
  const line = text
    .slice(start)
    .replace(/\[([^[\]\n]*)(?:\](?:\([^()\s]*)?)?$/, '$1')
    .replace(/(?:(?<!`)`+$|(?<!\S)\*+$|\*$(?<=\*\*[^*]+\*))/, '')
  const ends = [line.split('`').length % 2 === 0 ? '`' : '', line.split('**').length % 2 === 0 ? '**' : '']
  return text.slice(0, start) + line + ends.join('')
}

/** Whether the newest is read; who reads further up is left there. */
export const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < 80

/** A reply that grows while it is written. */
export interface Growing {
  node: HTMLElement
  /** Shows the text so far, at the next frame. */
  show(text: string): void
  stop(): void
}

/**
 * Makes the bubble of a reply that is being written, in the place of its dots. Screen readers are told of the whole
 * reply alone, which takes its place. For visitors who prefer reduced motion it grows by whole lines.
 */
export function createGrowing(log: HTMLElement, dots: HTMLElement): Growing {
  const node = element('div', { class: 'said assistant growing', dir: 'auto', 'aria-hidden': 'true' })
  const byLines = matchMedia('(prefers-reduced-motion: reduce)').matches
  let frame = 0
  return {
    node,
    show(text) {
      const shown = byLines ? text.slice(0, text.lastIndexOf('\n') + 1) : text
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        const follows = isAtEnd(log)
        const blocks = markdown(closed(shown))
        node.replaceChildren(...blocks)
        if (blocks.length > 0) dots.replaceWith(node)
        else node.replaceWith(dots)
        if (follows) log.scrollTo({ top: log.scrollHeight })
      })
    },
    stop: () => cancelAnimationFrame(frame),
  }
}
