import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'
import { etagOf } from '../preconditions/etag.ts'
import type { Reader, Unread } from '../rate-limit/unread.ts'
import { linesType } from '../rpc/batch.ts'
import { isAssetHeader, isKnown } from './asset.ts'
import { mediaType } from './body.ts'
import { type Encoding, encodingFor } from './encoding.ts'
import { JsonReply, type Reply } from './response.ts'

const compressors: Record<Encoding, (text: string) => Promise<Buffer<ArrayBuffer>>> = {
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
}

/** JSON that is shorter travels as it is, in bytes. */
const worthCompressing = 1024

/** A response of JSON that was made for its caller; stored files and assets on their way out are not. */
function isJson({ headers }: Response): boolean {
  return (
    mediaType(headers.get('content-type')) === 'application/json' &&
    !headers.has('content-disposition') &&
    !isAssetHeader(headers)
  )
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** A response as plain data where it is JSON, whoever made it. */
async function replyOf(response: Reply): Promise<Reply> {
  if (response instanceof JsonReply || !isJson(response)) return response
  return new JsonReply(response.status, Object.fromEntries(response.headers), await response.text())
}

/** Results as lines, each sent as soon as it is there, and held until they were read. */
function linesOf({ status, headers, body }: Response, { unread, reader }: Holding): Response | undefined {
  if (!body || !reader || mediaType(headers.get('content-type')) !== linesType) return undefined
  return new Response(unread.holdMade(reader, body), { status, headers })
}

/** How a response is held until it was read, and what is sent where too much waits to be read. */
export interface Holding {
  unread: Unread
  /** Undefined for a caller without an account, who gets nothing long that is made anew. */
  reader: Reader | undefined
  refused(): JsonReply
}

/**
 * What every response gets at last, whichever face made it: reads of JSON a weak ETag, and 304 for who has it; long
 * JSON the encoding that the caller takes; HEAD the length of what GET would send.
 */
export async function finished(request: Request, response: Reply, holding: Holding): Promise<Response> {
  const reply = await replyOf(response)
  if (!(reply instanceof JsonReply)) {
    if (request.method === 'HEAD') return withoutBody(reply, reply.headers, await lengthOf(reply))
    return linesOf(reply, holding) ?? reply
  }
  const { status, headers, body: text } = reply
  if (isRead(request) && status === 200) {
    const etag = headers.etag ?? etagOf(text)
    headers.etag = etag
    if (isKnown(request, etag)) {
      const { 'content-type': _none, ...kept } = headers
      return new Response(null, { status: 304, headers: kept })
    }
  }
  const body = await encoded(request, headers, text)
  if (request.method === 'HEAD') return withoutBody({ status }, headers, Buffer.byteLength(body))
  const held = holding.reader ? holding.unread.hold(holding.reader, body) : body
  return held === undefined ? finished(request, holding.refused(), holding) : new Response(held, { status, headers })
}

/** In bytes, which are counted only where its characters do not tell: none has less than one. */
const isShort = (text: string) => text.length <= worthCompressing && Buffer.byteLength(text) <= worthCompressing

/** The body of a JSON response in the encoding that the caller takes; the headers say which that is. */
async function encoded(request: Request, headers: Record<string, string>, text: string) {
  const encoding = encodingFor(request)
  if ((!encoding && !isRead(request)) || isShort(text)) return text
  headers.vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`
  if (!encoding) return text
  headers['content-encoding'] = encoding
  // Other bytes than those that a strong tag names.
  const { etag } = headers
  if (etag && !etag.startsWith('W/')) headers.etag = `W/${etag}`
  return compressors[encoding](text)
}

/** Bytes of a response's body; of a stored file that its header says. */
async function lengthOf(response: Response): Promise<number> {
  const said = response.headers.get('content-length')
  if (said === null) return (await response.arrayBuffer()).byteLength
  await response.body?.cancel()
  return Number(said)
}

/** Statuses that have no body for GET either: no length is said. */
const bodiless = new Set([204, 304])

function withoutBody({ status }: { status: number }, headers: HeadersInit, length: number): Response {
  const kept = new Headers(headers)
  if (!bodiless.has(status)) kept.set('content-length', String(length))
  return new Response(null, { status, headers: kept })
}
