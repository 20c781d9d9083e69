/** An event of a reply while it is written: more text, or that what came so far is no part of it. */
export type TextEvent = { type: 'delta'; text: string } | { type: 'restart' }

export type TextListener = (event: TextEvent) => void

const names = 'think|thinking|thought|reasoning'
const tag = new RegExp(`<(/?)(${names})>`, 'i')
const maxTagLength = '</reasoning>'.length

/** Where a text has come to: within which backticks, and after what. */
interface Place {
  /** How many backticks opened the block of code; 0 outside of one. */
  block: number
  /** How many opened the span of the line. */
  span: number
  /** The span stands where a block begins: it is one unless its line ends it. */
  isFence: boolean
  /** The block has a tag that is not closed. */
  isOpened: boolean
  tail: string
}

const beginning: Place = { block: 0, span: 0, isFence: false, isOpened: false, tail: '' }
const tailLength = 40
const mark = new RegExp(`\`+|\n|<(/?)(?:${names})\\b`, 'gi')
/** With a tail before it, which is longer than what is matched here, only the beginning of the text is `^`. */
const startOfLine = /(?:^|\n) {0,3}$/
/** A block may stand in an item of a list or in a quotation. */
const startOfBlock = /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?[ \t>]*$/
/** Backticks at the end of a line with a language at most: a block, whatever stands before it. */
const opensBlock = /`{3,}[\w+#.-]{0,20}[ \t]*$/
/** A block of code that has nothing yet. */
const emptyBlock = /`{3,}[^\n`]{0,30}\n {0,3}$/

/** After backticks. */
function afterTicks(place: Place, ticks: number, isStart: boolean): Place {
  const { block, span } = place
  if (block > 0) return isStart && ticks >= block ? { ...place, block: 0 } : place
  if (span > 0) return ticks === span ? { ...place, span: 0 } : place
  return { ...place, span: ticks, isFence: isStart && ticks >= 3 }
}

/** After the end of a line, which ends its span at the latest. */
const afterLine = (place: Place, line: string): Place =>
  place.span > 0 && (place.isFence || (place.span >= 3 && opensBlock.test(line)))
    ? { ...place, block: place.span, span: 0, isOpened: false }
    : { ...place, span: 0 }

/** Backticks as Markdown has them. */
function placeAfter(from: Place, text: string): Place {
  const whole = from.tail + text
  let place = from
  for (const { 0: found, 1: slash, index } of text.matchAll(mark)) {
    const at = from.tail.length + index
    const before = whole.slice(Math.max(0, at - tailLength), at)
    if (found === '\n') place = afterLine(place, before)
    else if (slash !== undefined) place = { ...place, isOpened: slash === '' }
    else place = afterTicks(place, found.length, startOfBlock.test(before))
  }
  return { ...place, tail: whole.slice(-tailLength) }
}

/** The end of a text that goes on with a word: a tag there is one that is spoken of. */
const midSentence = /[^\s.!?…。！？][ \t]+$|(?:^|[\s([{])["'“‘„«]$|[([{“‘„«]$/u

/**
 * Whether a tag is part of what is said: in code, or a closing tag within a sentence. Where a server's template has
 * swallowed the opening tag, the closing one comes after the end of a sentence or on a line of its own, also in a block
 * of code that the reasoning has not ended.
 */
function isSaid({ block, span, isOpened, tail }: Place, isClosing: boolean): boolean {
  if (block > 0) return !isClosing || isOpened || !startOfLine.test(tail) || emptyBlock.test(tail)
  return span > 0 || (isClosing && midSentence.test(tail))
}

/**
 * Where the end of a text begins that the next piece may change: half a character, half a tag, backticks, white space.
 */
function undecidedFrom(text: string): number {
  let at = text.length
  if (/[\uD800-\uDBFF]$/.test(text)) at--
  const start = Math.max(0, at - maxTagLength)
  at -= /<\/?[a-z]*$/i.exec(text.slice(start, at))?.[0].length ?? 0
  // More backticks make another sign.
  while (at > 0 && text[at - 1] === '`') at--
  return text.slice(0, at).trimEnd().length
}

/**
 * Makes the text that a caller may see of the pieces that a model writes: without NUL, white space at both ends, and
 * reasoning, which some servers send between tags: whole blocks, one that never ends, and one whose beginning the
 * server's template has swallowed. A tag that is spoken of stays, also one within a sentence that is never closed. The
 * text since the last `restart`, one piece after the other, is the text.
 */
export function visibleText(listen: TextListener) {
  let pending = ''
  let ending: RegExp | undefined
  /** White space before a block of reasoning: the text may be over after it. */
  let held = ''
  /** A tag within a sentence, with what comes after it: it is spoken of unless it is closed. */
  let spoken: string | undefined
  let hasBegun = false
  let place = beginning

  const show = (text: string) => {
    place = placeAfter(place, text)
    const visible = hasBegun ? text : text.trimStart()
    if (visible === '') return
    hasBegun = true
    listen({ type: 'delta', text: visible.toWellFormed() })
  }

  const restart = () => {
    if (hasBegun) listen({ type: 'restart' })
    hasBegun = false
    place = beginning
  }

  /** Takes the next tag off the pending text, with what is before it; false when there is none. */
  const takeTag = (): boolean => {
    const found = (ending ?? tag).exec(pending)
    if (!found) return false
    const [whole, slash, name = ''] = found
    const before = pending.slice(0, found.index)
    const after = pending.slice(found.index + whole.length)
    pending = held + after
    held = ''
    if (ending) {
      ending = undefined
      return true
    }
    const at = placeAfter(place, before)
    if (isSaid(at, slash !== '')) {
      show(before + whole)
    } else if (slash) {
      restart()
    } else {
      ending = new RegExp(`</${name}>`, 'i')
      spoken = midSentence.test(at.tail) ? whole : undefined
      const text = before.trimEnd()
      held = before.slice(text.length)
      show(text)
    }
    return true
  }

  return {
    /** Takes the next piece. */
    push(piece: string) {
      pending += piece.replaceAll('\0', '')
      let took = takeTag()
      while (took) took = takeTag()
      if (ending) {
        const kept = pending.slice(-maxTagLength)
        if (spoken !== undefined) spoken += pending.slice(0, pending.length - kept.length)
        pending = kept
        return
      }
      const at = undecidedFrom(pending)
      show(pending.slice(0, at))
      pending = pending.slice(at)
    },
    /** The text is over. */
    end() {
      if (!ending) show(pending.trimEnd())
      else if (spoken !== undefined) show((held + spoken + pending).trimEnd())
      pending = ''
    },
    /** The model goes on with another text: what it wrote so far is no part of it. */
    restart() {
      restart()
      pending = ''
      held = ''
      ending = undefined
    },
  }
}

/** The part of a model's whole text that a caller may see. */
export function withoutReasoning(text: string): string {
  let seen = ''
  const visible = visibleText((event) => {
    seen = event.type === 'delta' ? seen + event.text : ''
  })
  visible.push(text)
  visible.end()
  return seen
}
