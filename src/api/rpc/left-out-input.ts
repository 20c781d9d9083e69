import { isObject } from '../../json/object.ts'
import { parsedJson } from '../../json/parsed.ts'
import { isBatch } from './batch.ts'

const empty = '{}'

/** `{"0": ..., "1": ...}` of a batch with an empty object for every call that sent nothing; anything else stays as it is. */
export function filled(text: string, calls: number): string {
  const inputs = parsedJson(text)
  if (!isObject(inputs)) return text
  const missing = Array.from({ length: calls }, (_, index) => String(index)).filter((index) => !(index in inputs))
  if (missing.length === 0) return text
  return JSON.stringify({ ...inputs, ...Object.fromEntries(missing.map((index) => [index, {}])) })
}

const callsIn = (url: URL) => url.pathname.split(',').length

/**
 * The address of a GET whose calls all have an input. A call without one is taken as one with an empty object, as REST
 * takes a request without a query: `api.assistants.list.query()`.
 */
export function withInput(address: string): string {
  const url = new URL(address)
  const given = url.searchParams.get('input')
  const text = isBatch(url) ? filled(given ?? empty, callsIn(url)) : (given ?? empty)
  if (text === given) return address
  url.searchParams.set('input', text)
  return url.href
}

const decoder = new TextDecoder()

/** The body of a POST whose calls all have an input. */
export function withInputBody(address: string, body: Uint8Array<ArrayBuffer>): BodyInit {
  const url = new URL(address)
  if (!isBatch(url)) return body.length === 0 ? empty : body
  if (callsIn(url) > 1000) return body
  const text = decoder.decode(body)
  const all = filled(text === '' ? empty : text, callsIn(url))
  return all === text ? body : all
}
