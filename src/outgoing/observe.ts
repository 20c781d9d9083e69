/** Anything that is called like `fetch`. */
export type Calling<Call extends unknown[]> = (...call: Call) => Promise<Response>

/** Has the calls of a peer, such as `object store`, looked at on their way. */
export type Observe = <Call extends unknown[]>(peer: string, send: Calling<Call>) => Calling<Call>

/** Calls go as they are. */
export const unobserved: Observe = (_peer, send) => send
