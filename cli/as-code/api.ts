import { isObject, type Json } from '../../src/json/object.ts'
import type { Connection } from '../connection.ts'
import { CommandError } from '../error.ts'
import { send } from '../send.ts'

/** A resource as it was read. */
export interface Read {
  data: Json
  etag: string
}

const perPage = 100
const readsAtOnce = 4

const objectIn = (value: unknown): Json => (isObject(value) ? value : {})

/** The server's API as the commands on folders use it. Everything throws CommandError with the server's own words. */
export function apiOf(connection: Connection) {
  const json = async (method: string, path: string, body?: Json, etag?: string) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const headers = etag === undefined ? undefined : { 'if-match': etag }
    const response = await send(connection, method, { path, body: sent, headers })
    return { body: objectIn(await response.json()), etag: response.headers.get('etag') ?? '' }
  }
  return {
    async read(path: string): Promise<Read> {
      const { body, etag } = await json('GET', path)
      return { data: objectIn(body.data), etag }
    },
    /** What a read responds, or undefined where the server refuses it with one of these statuses. */
    async readUnless(path: string, statuses: readonly number[]): Promise<Json | undefined> {
      try {
        return (await json('GET', path)).body
      } catch (error) {
        if (error instanceof CommandError && statuses.includes(error.status ?? 0)) return undefined
        throw error
      }
    },
    /** Every entry of a list, page by page. */
    async list(path: string): Promise<Json[]> {
      const found: Json[] = []
      for (let page = 1; ; page++) {
        const separator = path.includes('?') ? '&' : '?'
        const { body } = await json('GET', `${path}${separator}per_page=${perPage}&page=${page}`)
        const data = Array.isArray(body.data) ? body.data.filter(isObject) : []
        found.push(...data)
        const pagination = objectIn(body.pagination)
        if (body.has_more !== true && !(Number(pagination.last_page ?? 0) > page)) return found
      }
    },
    /** Writes; with a tag only what has not changed since. Returns the response's `data`. */
    async write(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json, etag?: string): Promise<Json> {
      return objectIn((await json(method, path, body, etag)).body.data)
    },
  }
}

export type Api = ReturnType<typeof apiOf>

/** Does the same for each entry, a few at once, and keeps their order. */
export async function eachOf<T, R>(entries: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < entries.length; at = next++) {
      const entry = entries[at]
      if (entry !== undefined) results[at] = await work(entry)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, worker))
  return results
}
