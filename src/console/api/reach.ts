import { serverUrl } from './address.ts'

/** How long the server is left alone before it is asked again whether it is there. */
const pauseMs = 2_000
const timeoutMs = 10_000

let isAway = false
const listeners = new Set<() => void>()

let looks: ReturnType<typeof setTimeout> | undefined

function change(next: boolean) {
  clearTimeout(looks)
  looks = next ? setTimeout(look, pauseMs) : undefined
  if (isAway === next) return
  isAway = next
  for (const listener of listeners) listener()
}

/** Whether it was the server that responded, and not a proxy in its place. */
const isServers = ({ status, headers }: Response) =>
  status < 502 || (headers.get('content-type') ?? '').includes('json')

/** Asks the server whether it is there, again and again once it is not. */
async function look(): Promise<void> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    change(!isServers(await fetch(`${serverUrl}/health`, { cache: 'no-store', signal })))
  } catch {
    change(true)
  }
}

/** Whether the server is out of reach: told by what is asked of it, and looked at again until it is back. */
export const reach = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  snapshot: () => isAway,

  /** As `fetch`, which notes whether the server responded. */
  async fetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    try {
      const response = await fetch(input, init)
      change(!isServers(response))
      return response
    } catch (error) {
      if (!init?.signal?.aborted) change(true)
      throw error
    }
  },

  /** Resolves when the server responds. */
  async back(): Promise<void> {
    await look()
    while (isAway) {
      await new Promise<void>((resolve) => {
        const forget = reach.subscribe(() => {
          forget()
          resolve()
        })
      })
    }
  },
}

/** Loads a part of the console, and once more when the server is back. Rejects when it is not there any more. */
export const waited =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load()
    } catch {
      await reach.back()
      return load()
    }
  }
