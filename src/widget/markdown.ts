import { element } from './element.ts'

/** Where a link of a reply may lead; anything else stays text. */
const safe = /^(https?:\/\/|mailto:)/i

function link(address: string, ...words: (Node | string)[]): Node | string {
  if (!safe.test(address) || !URL.canParse(address)) return address
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...words)
}

/** Code, a named link, bold, italic, an address; the first that begins earliest. */
const inline =
  /`([^`\n]+)`|\[([^[\]\n]{1,300})\]\(([^()\s]{1,2000})\)|\*\*([^*\n]{1,2000})\*\*|(?<![\w*])\*([^*\s][^*\n]{0,2000})\*(?![\w*])|(https?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]])/g

/** A line of a reply as nodes. Nothing is ever read as markup of the page. */
function words(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let at = 0
  for (const found of text.matchAll(inline)) {
    const [whole, code, label, address, bold, italic, bare] = found
    nodes.push(text.slice(at, found.index))
    at = found.index + whole.length
    if (code !== undefined) nodes.push(element('code', {}, code))
    else if (label !== undefined && address !== undefined) nodes.push(safe.test(address) ? link(address, label) : whole)
    else if (bold !== undefined) nodes.push(element('strong', {}, ...words(bold)))
    else if (italic !== undefined) nodes.push(element('em', {}, ...words(italic)))
    else if (bare !== undefined) nodes.push(link(bare, bare))
  }
  nodes.push(text.slice(at))
  return nodes.filter((node) => node !== '')
}

const fence = /^ {0,3}```/
const bullet = /^ {0,8}[-*•] +(.*)$/
const numbered = /^ {0,8}(\d{1,3})[.)] +(.*)$/
const heading = /^#{1,6} +(.*)$/

/**
 * A reply's simple Markdown as nodes: paragraphs, lists, code, bold, italic and links; the rest stays as it is written.
 */
export function markdown(text: string): Node[] {
  const lines = text.split('\n')
  const blocks: Node[] = []
  const paragraph: string[] = []
  let list: HTMLElement | undefined
  const flush = () => {
    const said = paragraph.splice(0).join('\n').trim()
    if (said !== '') blocks.push(element('p', {}, ...words(said)))
  }
  const item = (kind: 'ul' | 'ol', said: string, start: string) => {
    flush()
    if (list?.localName !== kind) {
      list = element(kind, kind === 'ol' ? { start } : {})
      blocks.push(list)
    }
    list.append(element('li', {}, ...words(said)))
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, point] = bullet.exec(line) ?? []
    const [, number = '1', step] = numbered.exec(line) ?? []
    if (point !== undefined) item('ul', point, '1')
    else if (step !== undefined) item('ol', step, number)
    else {
      if (line.trim() !== '') list = undefined
      const [, title] = heading.exec(line) ?? []
      if (fence.test(line)) {
        flush()
        const end = lines.findIndex((other, index) => index > at && fence.test(other))
        const last = end < 0 ? lines.length : end
        blocks.push(element('pre', { tabindex: '0' }, element('code', {}, lines.slice(at + 1, last).join('\n'))))
        at = last
      } else if (title !== undefined) {
        flush()
        blocks.push(element('p', {}, element('strong', {}, ...words(title))))
      } else if (line.trim() === '') flush()
      else paragraph.push(line)
    }
  }
  flush()
  return blocks
}
