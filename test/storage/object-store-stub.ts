/** A small object store that speaks as much S3 as putting, getting, asking for and deleting one object takes. */
export function startObjectStore(options: { bucket: string; accessKeyId: string }) {
  const objects = new Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }>()
  const failed = (status: number, code: string) =>
    new Response(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
      {
        status,
        headers: { 'content-type': 'application/xml' },
      },
    )

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const signed = request.headers.get('authorization') ?? ''
      if (!signed.startsWith(`AWS4-HMAC-SHA256 Credential=${options.accessKeyId}/`)) return failed(403, 'AccessDenied')
      const path = decodeURIComponent(new URL(request.url).pathname)
      const prefix = `/${options.bucket}/`
      if (!path.startsWith(prefix)) return failed(404, 'NoSuchBucket')
      const key = path.slice(prefix.length)
      if (request.method === 'PUT') {
        const type = request.headers.get('content-type') ?? ''
        objects.set(key, { bytes: new Uint8Array(await request.arrayBuffer()), type })
        return new Response(null, { headers: { etag: '"1"' } })
      }
      if (request.method === 'DELETE') {
        objects.delete(key)
        return new Response(null, { status: 204 })
      }
      const found = objects.get(key)
      if (!found) return failed(404, 'NoSuchKey')
      const headers = { 'content-type': found.type, etag: '"1"', 'content-length': String(found.bytes.length) }
      return new Response(request.method === 'HEAD' ? null : found.bytes, { headers })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    objects,
    stop: () => server.stop(true),
  }
}
