import { createHash } from 'node:crypto'

/** A caller as the hand-written contenders need it. */
export interface Caller {
  userId: number
  name: string
  workspaceId: number
  resellerId: number
}

const cacheMs = 5_000

/** Remembers who is behind a token for five seconds, as the server does. */
export function cachedCallers(lookUp: (hash: string) => Promise<Caller | undefined>) {
  const cache = new Map<string, { caller: Caller; until: number }>()
  return async (authorization: string | null | undefined): Promise<Caller | undefined> => {
    if (!authorization?.startsWith('Bearer ')) return undefined
    const hash = createHash('sha256').update(authorization.slice(7)).digest('hex')
    const known = cache.get(hash)
    if (known && Date.now() < known.until) return known.caller
    const caller = await lookUp(hash)
    if (caller) cache.set(hash, { caller, until: Date.now() + cacheMs })
    return caller
  }
}
