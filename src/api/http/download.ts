import { z } from 'zod'
import type { RequestContext } from '../context.ts'
import { responseHeaders } from './response.ts'

/** A stored file on its way to the caller; over tRPC only its description travels. */
export interface Download {
  name: string
  type: string
  /** Bytes. */
  size: number
  body: ReadableStream<Uint8Array>
}

/** The output of an operation that responds with bytes (`download` in its metadata). */
export const Download = z
  .custom<Download>((value) => typeof value === 'object' && value !== null && 'body' in value)
  .meta({ override: { type: 'string', format: 'binary' }, examples: ['The bytes of the file.'] })

/** A text as RFC 5987 writes it into a header: what `encodeURIComponent` leaves of it has a meaning there. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** The bytes as an attachment that no browser takes for a page. */
export function downloadResponse(ctx: RequestContext, { name, type, size, body }: Download): Response {
  return new Response(body, {
    headers: {
      ...responseHeaders(ctx),
      'content-type': type,
      'content-length': String(size),
      'content-disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}
