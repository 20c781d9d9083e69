const xml = (body: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    headers: { 'content-type': 'application/xml', etag: '"1"' },
  })

/** An object store that takes uploads in parts, and lists what it has, two keys at a time. */
export function startBucket(name: string) {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>()
  const uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>()
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const key = decodeURIComponent(pathname).replace(`/${name}/`, '')
    const upload = searchParams.get('uploadId') ?? ''
    if (request.method === 'POST' && searchParams.has('uploads')) {
      const id = crypto.randomUUID()
      uploads.set(id, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === 'POST') {
      const parts = [...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part)
      objects.set(key, await new Blob(parts).bytes())
      uploads.delete(upload)
      return xml(`<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>`)
    }
    if (request.method === 'PUT') {
      const bytes = await request.bytes()
      if (upload === '') objects.set(key, bytes)
      else uploads.get(upload)?.set(Number(searchParams.get('partNumber')), bytes)
      return new Response(null, { headers: { etag: '"1"' } })
    }
    if (request.method === 'DELETE') {
      if (upload === '') objects.delete(key)
      else uploads.delete(upload)
      return new Response(null, { status: 204 })
    }
    if (searchParams.has('list-type')) {
      const after = searchParams.get('start-after') ?? ''
      const found = [...objects.keys()]
        .filter((k) => k.startsWith(searchParams.get('prefix') ?? '') && k > after)
        .sort()
      const page = found.slice(0, 2).map((k) => `<Contents><Key>${k}</Key><Size>1</Size></Contents>`)
      const isTruncated = found.length > 2
      return xml(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${page.join('')}</ListBucketResult>`)
    }
    const object = objects.get(key)
    if (!object) return xml('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>', 404)
    return new Response(object, { headers: { etag: '"1"' } })
  }
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  return { url: `http://127.0.0.1:${server.port}`, objects, stop: () => server.stop(true) }
}
