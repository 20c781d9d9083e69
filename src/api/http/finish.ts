import { promisify } from 'node:util'
import { gzip, zstdCompress } from 'node:zlib'
import { etagOf } from '../preconditions/etag.ts'
import { isKnown } from './asset.ts'

const compressors = { zstd: promisify(zstdCompress), gzip: promisify(gzip) }
type Encoding = keyof typeof compressors
const encodings: readonly Encoding[] = ['zstd', 'gzip']

/** JSON that is shorter travels as it is, in bytes. */
const worthCompressing = 1024

/** The first encoding of ours that the caller takes; `q=0` means that it does not. */
function encodingFor(request: Request): Encoding | undefined {
  const accepted = request.headers.get('accept-encoding')
  if (accepted === null) return undefined
  const taken = accepted
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([name]) => name)
  return encodings.find((encoding) => taken.includes(encoding))
}

/** A response of JSON that is held in memory; stored files on their way out are not. */
function isJson({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').startsWith('application/json') && !headers.has('content-disposition')
}

/**
 * What every response gets at last, whichever face made it: reads of JSON a weak ETag, and 304 for who has it; long
 * JSON the encoding that the caller takes; HEAD the length of what GET would send.
 */
export async function finished(request: Request, response: Response): Promise<Response> {
  const { method } = request
  const reads = method === 'GET' || method === 'HEAD'
  const encoding = encodingFor(request)
  if (!isJson(response) || !(reads || encoding)) {
    return method === 'HEAD' ? withoutBody(response, response.headers, await lengthOf(response)) : response
  }
  const { status } = response
  const headers = new Headers(response.headers)
  const text = await response.text()
  if (reads && status === 200) {
    const etag = headers.get('etag') ?? etagOf(text)
    headers.set('etag', etag)
    if (isKnown(request, etag)) {
      headers.delete('content-type')
      return new Response(null, { status: 304, headers })
    }
  }
  const length = Buffer.byteLength(text)
  if (length <= worthCompressing) {
    return method === 'HEAD' ? withoutBody(response, headers, length) : new Response(text, { status, headers })
  }
  headers.append('vary', 'Accept-Encoding')
  if (!encoding) {
    return method === 'HEAD' ? withoutBody(response, headers, length) : new Response(text, { status, headers })
  }
  headers.set('content-encoding', encoding)
  // Other bytes than those that a strong tag names.
  const etag = headers.get('etag')
  if (etag && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`)
  const body = await compressors[encoding](text)
  return method === 'HEAD' ? withoutBody(response, headers, body.length) : new Response(body, { status, headers })
}

/** Bytes of a response's body; of a stored file that its header says. */
async function lengthOf(response: Response): Promise<number> {
  const said = response.headers.get('content-length')
  if (said === null) return (await response.arrayBuffer()).byteLength
  await response.body?.cancel()
  return Number(said)
}

function withoutBody({ status }: Response, headers: Headers, length: number): Response {
  const kept = new Headers(headers)
  kept.set('content-length', String(length))
  return new Response(null, { status, headers: kept })
}
