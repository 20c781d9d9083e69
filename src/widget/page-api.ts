/** What the widget tells the page. */
export interface WidgetEvents {
  open: undefined
  close: undefined
  message: { from: 'visitor' | 'assistant'; text: string }
  unread: number
}

type EventName = keyof WidgetEvents

/** `window.Switchboard`: what a page can do with its widget. */
export interface PageApi {
  open(): void
  close(): void
  /** Keeps a conversation of its own for a visitor whom the page knows, in this browser; null: for anybody again. */
  identify(visitor: { id: string | number } | null): void
  /** Calls back at every such event; what it returns ends that. */
  on<Name extends EventName>(name: Name, listener: (detail: WidgetEvents[Name]) => void): () => void
}

declare global {
  interface Window {
    Switchboard?: PageApi
  }
}

/** Tells the page's listeners, and everybody who listens on the window for `switchboard:open` and so on. */
export function createEvents() {
  const target = new EventTarget()
  return {
    tell<Name extends EventName>(
      name: Name,
      ...[detail]: WidgetEvents[Name] extends undefined ? [] : [WidgetEvents[Name]]
    ) {
      target.dispatchEvent(new CustomEvent(name, { detail }))
      window.dispatchEvent(new CustomEvent(`switchboard:${name}`, { detail }))
    },
    on: ((name, listener) => {
      const heard = (event: Event) => {
        if (event instanceof CustomEvent) listener(event.detail)
      }
      target.addEventListener(name, heard)
      return () => target.removeEventListener(name, heard)
    }) satisfies PageApi['on'],
  }
}

/** Gives the page its widget, and says that it is there. */
export function offer(api: PageApi): void {
  Object.defineProperty(window, 'Switchboard', { value: Object.freeze(api), configurable: true })
  window.dispatchEvent(new CustomEvent('switchboard:ready'))
}
