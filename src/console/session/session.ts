const key = 'switchboard.token'

/** Who the console acts as. `expired`: the server no longer takes the token, and the screen stays as it is. */
export interface Session {
  readonly token: string | undefined
  readonly expired: boolean
  /** Counts whose screens there were: with another number nothing of the former is kept. */
  readonly screen: number
}

const stored = () => sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined

let current: Session = { token: stored(), expired: false, screen: 0 }
const listeners = new Set<() => void>()

function change(next: Session) {
  current = next
  for (const listener of listeners) listener()
}

/** The token of this tab: in sessionStorage, or in localStorage when it shall be kept; never in a cookie. */
export const session = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  snapshot: () => current,
  headers: (): Record<string, string> => (current.token ? { authorization: `Bearer ${current.token}` } : {}),
  /** `goesOn`: the token is of the same user, who keeps the screen. */
  signIn(token: string, { keep, goesOn }: { keep: boolean; goesOn: boolean }) {
    this.forget()
    const storage = keep ? localStorage : sessionStorage
    storage.setItem(key, token)
    change({ token, expired: false, screen: current.screen + (goesOn ? 0 : 1) })
  },
  forget() {
    sessionStorage.removeItem(key)
    localStorage.removeItem(key)
  },
  signOut() {
    this.forget()
    change({ token: undefined, expired: false, screen: current.screen + 1 })
  },
  /** The server refused a request with this header. What comes late of a former token changes nothing. */
  expire(authorization: string | null | undefined) {
    if (!authorization || authorization !== this.headers().authorization) return
    if (!current.expired) change({ ...current, expired: true })
  },
}

/** Calls `forget` whenever the screen is another one's from then on, whichever tab signed out, or whose token ended. */
export function whenLeft(forget: () => void): void {
  let { screen } = session.snapshot()
  session.subscribe(() => {
    if (session.snapshot().screen === screen) return
    screen = session.snapshot().screen
    forget()
  })
}

// Another tab signed out, and with it whoever stays signed in on this device.
window.addEventListener('storage', ({ key: changed }) => {
  const isKept = current.token !== undefined && sessionStorage.getItem(key) === null
  if (isKept && (changed === key || changed === null) && localStorage.getItem(key) === null) session.signOut()
})
