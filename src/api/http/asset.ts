import type { RequestContext } from '../context.ts'
import { namesTag } from '../preconditions/etag.ts'
import { responseHeaders } from './response.ts'

/** Something that stays the same while the server runs, with the tag that caches know it by. */
export interface Asset {
  body: string | Uint8Array<ArrayBuffer>
  type: string
  etag: string
}

/** An asset of a media type; its tag is a hash of its content. */
export const asset = (body: Asset['body'], type: string): Asset => ({
  body,
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

/** Whether a client reads gzip. */
export const takesGzip = (request: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers.get('accept-encoding') ?? '')

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
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    etag,
    ...extra,
  }
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

/** An asset as it is, and gzipped. */
export interface Encoded {
  plain: Asset
  gzip: Asset
}

/** Compresses an asset once, for everybody who takes it so. */
export const encoded = (plain: Asset): Encoded => ({
  plain,
  gzip: asset(Bun.gzipSync(plain.body, { level: 9 }), plain.type),
})

/** Responds with an asset in the encoding that the caller takes. */
export function encodedResponse(
  request: Request,
  ctx: RequestContext,
  { plain, gzip }: Encoded,
  extra: Record<string, string> = {},
): Response {
  const headers = { ...extra, vary: 'Accept-Encoding' }
  return takesGzip(request)
    ? assetResponse(request, ctx, gzip, { ...headers, 'content-encoding': 'gzip' })
    : assetResponse(request, ctx, plain, headers)
}
