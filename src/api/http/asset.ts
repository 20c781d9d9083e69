import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestContext } from '../context.ts'
import { namesTag } from '../preconditions/etag.ts'
import { type Encoding, encodingFor } from './encoding.ts'
import { responseHeaders } from './response.ts'

/** Something that stays the same while the server runs, with the tag that caches know it by. */
export interface Asset {
  /** One copy in memory, which all its responses share, also those that nobody reads. */
  body: Blob
  type: string
  etag: string
}

type Content = string | Uint8Array<ArrayBuffer>

/** An asset of a media type; its tag is a hash of its content. */
export const asset = (body: Content, type: string): Asset => ({
  body: new Blob([body]),
  type,
  etag: `"${Bun.hash(body).toString(36)}"`,
})

/** Makes it at the first call; a failure is tried again at the next. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** Whether the caller has what this tag names; weak and strong tags are compared alike. */
export function isKnown(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match')
  return header !== null && namesTag(header, etag)
}

const ownCaching = { 'cache-control': 'no-cache' }

/** Whether a response with these headers is an asset: what is made for a caller is kept by no cache. */
export const isAssetHeader = (headers: Headers): boolean =>
  /^(no-cache|public)\b/.test(headers.get('cache-control') ?? '')

/** Responds with an asset, or 304 to a cache that has it; `extra` adds or replaces headers. */
export function assetResponse(
  request: Request,
  ctx: RequestContext,
  { body, type, etag }: Asset,
  extra: Record<string, string> = {},
): Response {
  const headers = {
    ...responseHeaders(ctx),
    'content-type': type,
    ...ownCaching,
    'x-content-type-options': 'nosniff',
    etag,
    ...extra,
  }
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

/** An asset as it is, and in each encoding. */
export type Encoded = Record<Encoding | 'plain', Asset>

const gzipped = promisify(gzip)

/** Packs an asset once, for everybody who takes it so, while others are served. */
export async function encoded(body: Content, type: string): Promise<Encoded> {
  const [small, smaller] = await Promise.all([gzipped(body, { level: 9 }), Bun.zstdCompress(body, { level: 12 })])
  return {
    plain: asset(body, type),
    gzip: asset(new Uint8Array(small), type),
    zstd: asset(new Uint8Array(smaller), type),
  }
}

/** Responds with an asset in the encoding that the caller takes. */
export function encodedResponse(
  request: Request,
  ctx: RequestContext,
  made: Encoded,
  extra: Record<string, string> = {},
): Response {
  const encoding = encodingFor(request)
  const packed = encoding && { 'content-encoding': encoding }
  return assetResponse(request, ctx, made[encoding ?? 'plain'], { ...extra, vary: 'Accept-Encoding', ...packed })
}
