/** Anything that is called like `fetch`. */
export type Calling<Call extends unknown[]> = (...call: Call) => Promise<Response>

/** Has the calls of a peer, such as `object store`, looked at on their way. */
export type Observe = <Call extends unknown[]>(peer: string, send: Calling<Call>) => Calling<Call>

/** What a server that runs elsewhere was last seen to do. */
export interface Peers {
  observe: Observe
  /** False when its last call failed: it did not respond, had an error of its own, or did not take our key. */
  isWorking(peer: string): boolean
}

const refusesUs = new Set([401, 403])

const isAborted = (error: unknown) => error instanceof Error && error.name === 'AbortError'

/** Keeps in mind how the last call of each peer went; who was never called works. */
export function watchPeers(observe: Observe = unobserved): Peers {
  const failing = new Set<string>()
  const note = (peer: string, failed: boolean) => {
    if (failed) failing.add(peer)
    else failing.delete(peer)
  }
  return {
    observe(peer, send) {
      const call = observe(peer, send)
      return async (...args) => {
        try {
          const response = await call(...args)
          note(peer, response.status >= 500 || refusesUs.has(response.status))
          return response
        } catch (error) {
          // Whoever asked has left: that says nothing of the peer.
          if (!isAborted(error)) note(peer, true)
          throw error
        }
      }
    },
    isWorking: (peer) => !failing.has(peer),
  }
}

/** Calls go as they are. */
export const unobserved: Observe = (_peer, send) => send
