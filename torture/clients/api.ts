import type { ServerProcess } from '../server/server-process.ts'

/** A request of a client. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  form?: () => FormData
  headers?: Record<string, string>
}

/** What came of sending a request once: an answer, or nothing. `sent` is false when no connection was made. */
export type Attempt = { answered: true; status: number; text: string; body: Json } | { answered: false; sent: boolean }

/** A parsed body, read by names. */
export interface Json {
  [name: string]: unknown
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field that is an object; an empty one where there is none. */
export const objectAt = (json: Json, name: string): Json => {
  const value = json[name]
  return isJson(value) ? value : {}
}

/** A field that is a list of objects. */
export const listAt = (json: Json, name: string): Json[] => {
  const value = json[name]
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** A field that is a text. */
export const textAt = (json: Json, name: string): string | undefined => {
  const value = json[name]
  return typeof value === 'string' ? value : undefined
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : {}
  } catch {
    return {}
  }
}

const requestMs = 40_000

/** Sends a request once, on a connection of its own; `leaving` ends it from the client's side. */
export async function send(
  server: ServerProcess,
  token: string,
  request: ApiRequest,
  leaving?: AbortSignal,
): Promise<Attempt> {
  const { method, path, body, form } = request
  const headers = {
    authorization: `Bearer ${token}`,
    connection: 'close',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...request.headers,
  }
  const timeout = AbortSignal.timeout(requestMs)
  try {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers,
      body: form ? form() : body === undefined ? undefined : JSON.stringify(body),
      signal: leaving ? AbortSignal.any([timeout, leaving]) : timeout,
      keepalive: false,
    })
    const text = await answer.text()
    return { answered: true, status: answer.status, text, body: parsed(text) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { answered: false, sent: !['ConnectionRefused', 'ECONNREFUSED', 'FailedToOpenSocket'].includes(code) }
  }
}

/** Sends a read until it is answered with success. Throws after a minute. */
export async function read(servers: readonly ServerProcess[], token: string, request: ApiRequest): Promise<Json> {
  const until = Date.now() + 60_000
  for (let tries = 0; Date.now() < until; tries += 1) {
    const server = servers[tries % servers.length]
    const attempt = server && (await send(server, token, request))
    if (attempt?.answered && attempt.status < 300) return attempt.body
    await Bun.sleep(200)
  }
  throw new Error(`${request.method} ${request.path} was not answered within a minute`)
}

/** All pages of a list. */
export async function readAll(servers: readonly ServerProcess[], token: string, path: string): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 1; ; page += 1) {
    const answer = await read(servers, token, { method: 'GET', path: `${path}?per_page=100&page=${page}` })
    const data = listAt(answer, 'data')
    rows.push(...data)
    if (data.length < 100) return rows
  }
}
