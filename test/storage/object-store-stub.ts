/** A small object store that speaks as much S3 as putting, getting, asking for and deleting one object takes, whole or in parts. */
export function startObjectStore(options: { bucket: string; accessKeyId: string }) {
  const objects = new Map<string, { bytes: Uint8Array<ArrayBuffer>; type: string }>()
  const uploads = new Map<string, { type: string; parts: Map<number, Uint8Array<ArrayBuffer>> }>()
  const xml = (body: string) =>
    new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, { headers: { 'content-type': 'application/xml' } })

  /** The requests of an upload in parts; undefined for any other. */
  async function inParts(request: Request, key: string): Promise<Response | undefined> {
    const query = new URL(request.url).searchParams
    if (request.method === 'POST' && query.has('uploads')) {
      const id = crypto.randomUUID()
      uploads.set(id, { type: request.headers.get('content-type') ?? '', parts: new Map() })
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const id = query.get('uploadId')
    if (id === null) return undefined
    const upload = uploads.get(id)
    if (!upload) return failed(404, 'NoSuchUpload')
    const number = Number(query.get('partNumber'))
    if (request.method === 'PUT') {
      upload.parts.set(number, new Uint8Array(await request.arrayBuffer()))
      return new Response(null, { headers: { etag: `"${number}"` } })
    }
    uploads.delete(id)
    if (request.method === 'DELETE') return new Response(null, { status: 204 })
    const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, bytes]) => bytes)
    objects.set(key, { bytes: new Uint8Array(Buffer.concat(parts)), type: upload.type })
    return xml('<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>')
  }

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
      const ofUpload = await inParts(request, key)
      if (ofUpload) return ofUpload
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
