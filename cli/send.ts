import { isObject } from '../src/json/object.ts'
import type { Connection } from './connection.ts'
import { CommandError } from './error.ts'
import type { Prepared } from './input.ts'

/** An error body in a few lines: its text, and what is wrong with which field. */
function reasonIn(body: unknown, status: number): string {
  const error = isObject(body) && isObject(body.error) ? body.error : body
  if (!isObject(error) || typeof error.message !== 'string') return `The server answered with status ${status}.`
  const errors = isObject(error.errors) ? Object.entries(error.errors) : []
  return [error.message, ...errors.map(([field, texts]) => `  ${field}: ${[texts].flat().join(' ')}`)].join('\n')
}

/** Sends a request; resolves with its successful response. Throws CommandError with the server's own words. */
export async function send({ url, key }: Connection, method: string, request: Prepared): Promise<Response> {
  const { path, body } = request
  const headers = {
    authorization: `Bearer ${key}`,
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...request.headers,
  }
  let response: Response
  try {
    response = await fetch(`${url}${path}`, { method, headers, body, redirect: 'error' })
  } catch {
    throw new CommandError(`There is no server at ${url}: start one with "npx -y bun@1.4.5 start", or give --url.`)
  }
  if (response.ok) return response
  throw new CommandError(reasonIn(await response.json().catch(() => undefined), response.status), 1, response.status)
}
