const key = 'switchboard.token'

/** Who the console acts as. `expired`: the server no longer takes the token, and the screen stays as it is. */
export interface Session {
  readonly token: string | undefined
  readonly expired: boolean
}

const stored = () => sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined

let current: Session = { token: stored(), expired: false }
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
  signIn(token: string, keep: boolean) {
    this.forget()
    const storage = keep ? localStorage : sessionStorage
    storage.setItem(key, token)
    change({ token, expired: false })
  },
  forget() {
    sessionStorage.removeItem(key)
    localStorage.removeItem(key)
  },
  signOut() {
    this.forget()
    change({ token: undefined, expired: false })
  },
  expire() {
    if (current.token && !current.expired) change({ token: current.token, expired: true })
  },
}

// Another tab signed out, and with it whoever stays signed in on this device.
window.addEventListener('storage', ({ key: changed }) => {
  const isKept = current.token !== undefined && sessionStorage.getItem(key) === null
  if (isKept && (changed === key || changed === null) && localStorage.getItem(key) === null) session.signOut()
})
