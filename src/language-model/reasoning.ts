/** An event of a reply while it is written: more text, or that what came so far is no part of it. */
export type TextEvent = { type: 'delta'; text: string } | { type: 'restart' }

export type TextListener = (event: TextEvent) => void

const tag = /<(\/?)(think|thinking|thought|reasoning)>/i
const maxTagLength = '</reasoning>'.length

/** Where the end of a text begins that the next piece may change: half a character, half a tag, white space. */
function undecidedFrom(text: string): number {
  let at = text.length
  if (/[\uD800-\uDBFF]$/.test(text)) at--
  const start = Math.max(0, at - maxTagLength)
  at -= /<\/?[a-z]*$/i.exec(text.slice(start, at))?.[0].length ?? 0
  return text.slice(0, at).trimEnd().length
}

/**
 * Makes the text that a caller may see of the pieces that a model writes: without NUL, white space at both ends, and
 * reasoning, which some servers send between tags: whole blocks, one that never ends, and one whose beginning the
 * server's template has swallowed. The text since the last `restart`, one piece after the other, is the text.
 */
export function visibleText(listen: TextListener) {
  let pending = ''
  let ending: RegExp | undefined
  let hasBegun = false

  const show = (text: string) => {
    const visible = hasBegun ? text : text.trimStart()
    if (visible === '') return
    hasBegun = true
    listen({ type: 'delta', text: visible.toWellFormed() })
  }

  const restart = () => {
    if (hasBegun) listen({ type: 'restart' })
    hasBegun = false
  }

  /** Takes the next tag off the pending text, with what is before it; false when there is none. */
  const takeTag = (): boolean => {
    const found = (ending ?? tag).exec(pending)
    if (!found) return false
    const [whole, slash, name = ''] = found
    const before = pending.slice(0, found.index)
    const after = pending.slice(found.index + whole.length)
    if (ending) {
      ending = undefined
      pending = after
    } else if (slash) {
      restart()
      pending = after
    } else {
      ending = new RegExp(`</${name}>`, 'i')
      show(before)
      pending = after
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
        pending = pending.slice(-maxTagLength)
        return
      }
      const at = undecidedFrom(pending)
      show(pending.slice(0, at))
      pending = pending.slice(at)
    },
    /** The text is over. */
    end() {
      if (!ending) show(pending.trimEnd())
      pending = ''
    },
    /** The model goes on with another text: what it wrote so far is no part of it. */
    restart() {
      restart()
      pending = ''
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
