import { isObject } from '../../json/object.ts'
import { parsedJson } from '../../json/parsed.ts'
import { isBatch, maxBatchSize, namesIn } from './batch.ts'

const empty = '{}'

/**
 * `{"0": ..., "1": ...}` of a batch with an empty object for every call that sent nothing; anything else stays as it
 * is. What was sent is not written anew, however deep it is.
 */
function filled(text: string, calls: number): string {
  const inputs = parsedJson(text)
  if (!isObject(inputs) || calls > maxBatchSize) return text
  const missing = Array.from({ length: calls }, (_, index) => index).filter((index) => !(index in inputs))
  if (missing.length === 0) return text
  const sent = text.slice(text.indexOf('{') + 1, text.lastIndexOf('}'))
  const fields = [...(sent.trim() === '' ? [] : [sent]), ...missing.map((index) => `"${index}":${empty}`)]
  return `{${fields.join(',')}}`
}

/**
 * The address of a GET whose calls all have an input. A call without one is taken as one with an empty object, as REST
 * takes a request without a query: `api.assistants.list.query()`.
 */
export function withInput(address: string): string {
  const url = new URL(address)
  const given = url.searchParams.get('input')
  const text = isBatch(url) ? filled(given ?? empty, namesIn({ url: address }).length) : (given ?? empty)
  if (text === given) return address
  url.searchParams.set('input', text)
  return url.href
}

const decoder = new TextDecoder()

/** The body of a POST whose calls all have an input. */
export function withInputBody(address: string, body: Uint8Array<ArrayBuffer>): BodyInit {
  if (!isBatch(new URL(address))) return body.length === 0 ? empty : body
  const text = decoder.decode(body)
  const all = filled(text === '' ? empty : text, namesIn({ url: address }).length)
  return all === text ? body : all
}
