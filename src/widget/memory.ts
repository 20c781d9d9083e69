/** Something that was said. */
export interface Said {
  from: 'visitor' | 'assistant'
  text: string
}

/** What a visitor's browser keeps of one widget. */
export interface Remembered {
  consented: boolean
  session: string | null
  messages: readonly Said[]
}

/** Keeps a widget's conversation for one visitor. */
export interface Memory {
  read(): Remembered
  write(change: Partial<Remembered>): void
  /** Remembers for another visitor of the same browser from now on; null: for anybody. */
  switchTo(visitor: string | null): void
  /** Calls back when another tab of the same visitor has written. */
  onOtherTab(changed: () => void): void
}

const maxMessages = 100
const maxTextLength = 8000
const nothing: Remembered = { consented: false, session: null, messages: [] }

const isSaid = (value: unknown): value is Said =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'from' in value &&
  (value.from === 'visitor' || value.from === 'assistant')

function parse(json: string | null): Remembered {
  try {
    const { consented, session, messages } = JSON.parse(json ?? '{}')
    return {
      consented: consented === true,
      session: typeof session === 'string' ? session : null,
      messages: Array.isArray(messages) ? messages.filter(isSaid).slice(-maxMessages) : [],
    }
  } catch {
    return nothing
  }
}

/**
 * A memory in localStorage, by public key; in this page alone where the browser keeps nothing. The newest messages
 * stay when there are too many.
 */
export function createMemory(publicKey: string): Memory {
  const anybody = `switchboard-widget:${publicKey}`
  let key = anybody
  let inPage: Remembered | undefined
  const read = () => {
    if (inPage) return inPage
    try {
      return parse(localStorage.getItem(key))
    } catch {
      return nothing
    }
  }
  return {
    read,
    write(change) {
      const next = { ...read(), ...change }
      const messages = next.messages
        .slice(-maxMessages)
        .map(({ from, text }) => ({ from, text: text.slice(0, maxTextLength) }))
      try {
        localStorage.setItem(key, JSON.stringify({ ...next, messages }))
      } catch {
        inPage = { ...next, messages }
      }
    },
    switchTo(visitor) {
      key = visitor === null ? anybody : `${anybody}:${visitor}`
      inPage = undefined
    },
    onOtherTab(changed) {
      window.addEventListener('storage', (event) => {
        if (event.key === key) changed()
      })
    },
  }
}
