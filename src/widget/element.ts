type Attributes = Record<string, string | boolean>

/**
 * Makes an element. Texts become text nodes, never markup: what a page's owner or an assistant writes cannot add
 * elements, scripts or styles.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '')
    else if (value !== false) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

const svg = 'http://www.w3.org/2000/svg'

const shapes = {
  chat: 'M12 3.5c-5 0-9 3.4-9 7.7 0 2.5 1.4 4.7 3.5 6.1l-.6 3 3.4-1.8c.9.2 1.8.3 2.7.3 5 0 9-3.4 9-7.6s-4-7.7-9-7.7Z',
  close: 'm6 6 12 12M18 6 6 18',
  send: 'M5 12h13m-6-6 6 6-6 6',
  end: 'M5 7h14M10 7V5h4v2m-7 0 .8 12h8.4L17 7',
} as const

/** A drawing that screen readers pass over. */
export function icon(name: keyof typeof shapes, kind = name as string): SVGElement {
  const drawing = document.createElementNS(svg, 'svg')
  for (const [key, value] of Object.entries({ class: kind, viewBox: '0 0 24 24', 'aria-hidden': 'true' })) {
    drawing.setAttribute(key, value)
  }
  const path = document.createElementNS(svg, 'path')
  path.setAttribute('d', shapes[name])
  drawing.append(path)
  return drawing
}
