/** Calls of a server as the owner of its agents makes them. */
export interface Client {
  /** The body of a response as JSON; throws where it failed. */
  call(path: string, init?: RequestInit): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
}

export function clientOf(url: string, key: string): Client {
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    call,
    post: (path, body) =>
      call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }
}
