import { z } from 'zod'
import type { RequestContext } from '../context.ts'
import { breakOff } from './break-off.ts'
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

/** What went wrong, without what an error knows of its call, whose address may be signed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The same body, which breaks off where it fails, with a line in the log. */
function brokenOffWhereItFails(body: Download['body'], { log, requestId }: RequestContext): Download['body'] {
  const reader = body.getReader()
  let left = false
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (left) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          if (left) return
          log.warn({ event: 'download_broken_off', requestId, reason: reasonOf(error) }, 'a stored file broke off')
          breakOff(controller)
        }
      },
      async cancel(reason) {
        left = true
        // What broke off before has nothing more to be told.
        await reader.cancel(reason).catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

/** The bytes as an attachment that no browser takes for a page. */
export function downloadResponse(ctx: RequestContext, { name, type, size, body }: Download): Response {
  return new Response(brokenOffWhereItFails(body, ctx), {
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
