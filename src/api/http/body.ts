import { isObject } from '../../json/object.ts'
import { parsedBytes } from '../../json/parsed.ts'
import { unlessLate } from '../../runtime/deadline.ts'
import { ApiError, validationError } from '../errors/api-error.ts'

export const jsonLimit = 1024 * 1024

/** How long bodies may take to arrive, in milliseconds. */
export interface BodyTimes {
  json: number
  form: number
}

export const defaultBodyTimes: BodyTimes = { json: 30_000, form: 300_000 }

/** Longer than balancers keep theirs, so that they close first. */
export const defaultIdleSeconds = 75

/** What reading a body gives. Throws 408 when it takes longer than `timeoutMs`; the connection is closed then. */
export const inTime = <T>(reading: Promise<T>, timeoutMs: number): Promise<T> =>
  unlessLate(reading, timeoutMs, () => new ApiError('body_too_late'))

/** The refusal of a body longer than `limit`. */
export const tooLarge = (limit: number): ApiError =>
  new ApiError('body_too_large', { detail: `${limit / 1024 / 1024} MB` })

/** A body piece by piece. Throws 413 where it goes beyond `limit`, whether or not it announced its length. */
export async function* bounded(body: ReadableStream<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    yield chunk
  }
}

/**
 * The bytes of a request's body, read no further than `limit`.
 * Throws 413 for a longer one, whether or not it announced its length.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw tooLarge(limit)
  if (!request.body) return new Uint8Array()
  if (announced > 0) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > limit) throw tooLarge(limit)
    return bytes
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of bounded(request.body, limit)) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/**
 * A JSON object from bytes; no bytes are an empty object, and so is null where a body `mayBeLeftOut`. Throws 400 for
 * what is no JSON, 422 for another value.
 * @param message of the 422, instead of its text
 */
export function parseJson(bytes: Uint8Array, mayBeLeftOut: () => boolean, message?: string): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const value = parsedBytes(bytes)
  if (value === undefined) throw new ApiError('malformed_body')
  if (value === null && mayBeLeftOut()) return {}
  if (!isObject(value)) throw validationError({ body: ['The body field must be an object.'] }, message)
  return { ...value }
}

/** The media type without parameters, in lower case. */
export const mediaType = (contentType: string | null) => (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
