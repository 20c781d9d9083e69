import { openDialogs } from '../parts/dialogs.ts'

/** What had the focus: on the page, in what stands over it (a dialog, a menu), or in what surrounds it. */
interface Held {
  node: HTMLElement
  place: 'page' | 'over' | 'around'
}

const kept = 30
const focusable = 'a[href], button, input, select, textarea, [tabindex]'

const placeOf = (node: HTMLElement): Held['place'] => {
  if (node.closest('[data-portal], [role="dialog"], [role="menu"]')) return 'over'
  return node.closest('main') ? 'page' : 'around'
}

const takesFocus = (node: HTMLElement): boolean =>
  node.isConnected && !node.matches(':disabled') && node.checkVisibility({ visibilityProperty: true })

const topDialog = () => openDialogs().at(-1)

const focus = (node: HTMLElement) => node.focus({ preventScroll: true })

const heading = () => document.querySelector<HTMLElement>('main h1')

function focusHeading(): boolean {
  const title = heading()
  if (!title || topDialog()) return false
  title.tabIndex = -1
  focus(title)
  return true
}

/** What can be reached first in a row. */
const inRow = (row: Node | null): HTMLElement | undefined =>
  row instanceof HTMLElement && row.matches('tr, li')
    ? [...row.querySelectorAll<HTMLElement>(focusable)].find(takesFocus)
    : undefined

/** In the row after one that is gone, or before it. */
function neighbourOf(gone: Node, records: readonly MutationRecord[]): HTMLElement | undefined {
  const record = records.find(({ removedNodes }) => [...removedNodes].some((removed) => removed.contains(gone)))
  return record && (inRow(record.nextSibling) ?? inRow(record.previousSibling))
}

/** The last place before that is still there: what opened a dialog, or on a page the field before a button. */
function formerOf({ place }: Held, trail: readonly Held[]): HTMLElement | undefined {
  for (const former of trail.toReversed()) {
    if (former.place === 'around' && place === 'page') return undefined
    if (takesFocus(former.node)) return former.node
    if (former.place !== 'over' && place === 'over') return undefined
  }
  return undefined
}

/**
 * Gives the focus a place where it would be lost with what had it: when a dialog, a drawer or a menu closes it returns
 * to what opened it, when a row goes it moves to the next one, when a button is usable again it has it back, and else
 * it goes to the page's heading. Whoever leaves it for nothing, by a click beside, is left alone. `arrived` moves it to
 * the heading of the screen that was led to, as soon as that is there. `stop` ends it.
 */
export function keepFocus() {
  let trail: Held[] = []
  let held: Held | undefined
  let isArriving = false

  function restore(lost: Held, records: readonly MutationRecord[]) {
    const dialog = topDialog()
    const isWithin = (node: HTMLElement | undefined) => node && (!dialog || dialog.contains(node))
    const neighbour = neighbourOf(lost.node, records)
    const former = formerOf(lost, trail)
    const next = isWithin(neighbour) ? neighbour : isWithin(former) ? former : dialog
    if (next) focus(next)
    else focusHeading()
  }

  const observer = new MutationObserver((records) => {
    if (isArriving && focusHeading()) isArriving = false
    if (!held || (document.activeElement && document.activeElement !== document.body)) return
    if (takesFocus(held.node)) focus(held.node)
    else if (!held.node.isConnected) restore(held, records)
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })

  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      held = { node: target, place: placeOf(target) }
      trail = [...trail.filter(({ node }) => node !== target), held].slice(-kept)
    },
    { signal },
  )
  document.addEventListener(
    'focusout',
    ({ target }) =>
      setTimeout(() => {
        const isLeft = held?.node === target && takesFocus(held.node) && document.activeElement === document.body
        if (isLeft) held = undefined
      }),
    { signal },
  )
  // Whoever goes on before the screen is there is not taken away from where they are.
  for (const event of ['keydown', 'pointerdown']) {
    document.addEventListener(event, () => (isArriving = false), { signal, capture: true })
  }
  return {
    arrived() {
      isArriving = !focusHeading()
    },
    stop() {
      observer.disconnect()
      listening.abort()
    },
  }
}
