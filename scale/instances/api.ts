import { adminKey } from '../instance.ts'

interface Sent {
  status: number
  message: string
  data: Record<string, unknown>
}

/** Sends a request to an instance; `data` is that of the response, empty where it has none. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: object | FormData,
  { token = adminKey, ...headers }: Record<string, string> = {},
): Promise<Sent> {
  const json = body !== undefined && !(body instanceof FormData)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const read = (await response.json().catch(() => ({}))) as Partial<Sent>
  return { status: response.status, message: String(read.message), data: read.data ?? {} }
}

/** The same, of a request that succeeds. Throws with its status otherwise. */
export async function made(...request: Parameters<typeof send>): Promise<Record<string, unknown>> {
  const { status, message, data } = await send(...request)
  if (status >= 300) throw new Error(`${request[1]} ${request[2]} answered ${status}: ${message}`)
  return data
}

/** Milliseconds until something is so, looked at every `everyMs`. Throws after a minute. */
export async function timeUntil(isSo: () => Promise<boolean>, everyMs: number): Promise<number> {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > 60_000) throw new Error('It was not so within a minute')
    await Bun.sleep(everyMs)
  }
  return performance.now() - from
}
