import { useSyncExternalStore } from 'react'
import { whenLeft } from '../session/session.ts'

const values = new Map<string, unknown>()
const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Whoever signs in next sees nothing of who was signed in.
whenLeft(() => {
  values.clear()
  notify()
})

/**
 * A state that stays while the console is open, whichever tab or screen is shown, such as what is typed and not sent.
 * Signing out forgets it. It is changed in the event itself, as a field that is typed into needs it.
 * @param name what it is of, such as a chat's id
 * @param initial the same one each time
 */
export function useKept<T>(kind: string, name: string, initial: T): [T, (change: (value: T) => T) => void] {
  const key = `${kind} ${name}`
  const current = () => (values.has(key) ? values.get(key) : initial) as T
  return [
    useSyncExternalStore(subscribe, current),
    (change) => {
      values.set(key, change(current()))
      notify()
    },
  ]
}
