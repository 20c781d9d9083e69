/**
 * Inline and important, so that no rule of a page is stronger, whatever properties browsers get. `display` stays the
 * page's, which may hide the widget; browsers that do not know 'revert-layer' keep it.
 */
const style =
  'all: initial !important; position: fixed !important; z-index: 2147483000 !important; display: revert-layer !important'

/** The element of the page that the widget lives in. */
export function createHost(): HTMLElement {
  const host = document.createElement('switchboard-widget')
  host.style.cssText = style
  return host
}

/** As wide as the window, where nobody sees it. */
const ruler = 'position: fixed; inset: 0 0 auto; visibility: hidden; pointer-events: none'

/**
 * Takes back from the widget the zoom of the page's root element, the only one above the host. A zoom that the page
 * changes later changes the width of the ruler, as its pixels are zoomed ones.
 */
function undoZoom(host: HTMLElement, root: HTMLElement): void {
  const measured = document.createElement('div')
  measured.style.cssText = ruler
  host.shadowRoot?.append(measured)
  const undo = () => {
    const zoom = Number(getComputedStyle(document.documentElement).zoom) || 1
    root.style.zoom = String(1 / zoom)
  }
  new ResizeObserver(undo).observe(measured)
  undo()
}

/**
 * Shows the widget above the page: in the browser's top layer, which no stacking, moving or clipping of an element
 * reaches. Browsers without one have the host beside the body, where only styles of the root element do.
 */
export function showAbovePage(host: HTMLElement, root: HTMLElement): void {
  document.documentElement.append(host)
  undoZoom(host, root)
  if (!('showPopover' in root)) return
  root.popover = 'manual'
  root.showPopover()
}
