/** Lines shorter than this were not broken for want of room. */
const minWidth = 35

/** What begins a line of its own: an item of a list, a heading, a quotation, a row, a label, a fence. */
const ownLine = /^\s*(?:[-*•>|#]|\d+[.)]\s|```|~~~|(?:[^\s:]+ ){0,3}[^\s:]+:(?:\s|$))/
/** What ends one: a sentence, or the marks of a break. */
const ended = /[.!?:;…]["”’)]*$|\s\s$|\\$/

const sentenceWithin = /[.!?]["”’)]*\s+\p{Lu}/u

const firstWord = (line: string) => /^\s*(\S+)/.exec(line)?.[1] ?? ''

/** The lines of a paragraph that was broken to a width, as one; undefined where its lines are meant as they are. */
function joined(lines: readonly string[]): string | undefined {
  const width = Math.max(...lines.map(({ length }) => length))
  if (lines.length < 2 || width < minWidth || lines.slice(1).some((line) => ownLine.test(line))) return undefined
  const breaks = lines.slice(1).map((next, index) => {
    const line = lines[index] ?? ''
    const isFull = line.length + 1 + firstWord(next).length > width
    return { isEnded: ended.test(line), isFull, goesOn: /^\s*\p{Ll}/u.test(next) || sentenceWithin.test(line) }
  })
  // Lines that only happen to be as long, as those of a menu, do not read like one text.
  const isBroken =
    breaks.every(({ isEnded, isFull }) => isEnded || isFull) && breaks.some(({ isEnded, goesOn }) => !isEnded && goesOn)
  if (!isBroken) return undefined
  return lines.map((line, index) => (index === 0 ? line.trimEnd() : line.trim())).join(' ')
}

/**
 * A text in which paragraphs that were broken to a width of a screen are one line each, so that no sentence ends with a
 * line. Lists, rows and short lines stay as they are.
 */
export const unwrapped = (text: string): string =>
  text
    .split(/(\n[^\S\n]*\n)/)
    .map((part) => joined(part.split('\n')) ?? part)
    .join('')
