const focusable = 'button, textarea, [tabindex="0"]'

const isShown = (candidate: HTMLElement) => candidate.getClientRects().length > 0

/** Keeps the Tab key inside `panel`, and calls `leave` on Escape. */
export function trapFocus(panel: HTMLElement, root: ShadowRoot, leave: () => void): void {
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault()
      leave()
    }
    if (event.key !== 'Tab') return
    const stops = [...panel.querySelectorAll<HTMLElement>(focusable)].filter(isShown)
    const leaving = event.shiftKey ? stops[0] : stops.at(-1)
    const entered = event.shiftKey ? stops.at(-1) : stops[0]
    const isOutside = !stops.some((stop) => stop === root.activeElement)
    if (root.activeElement !== leaving && !isOutside) return
    event.preventDefault()
    entered?.focus()
  })
}
