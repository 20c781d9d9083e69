import { createServer, type Socket } from 'node:net'

interface Stored {
  bytes: Uint8Array<ArrayBuffer>
  type: string
}

const xml = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

/** A small object store that speaks as much S3 as putting, getting and deleting one object takes, and can misbehave. */
export function startObjectStore(options: { bucket: string; accessKeyId: string }) {
  const objects = new Map<string, Stored>()
  const state = { hanging: 0, hungUploads: 0 }
  let hangs = false
  let failures: Response[] = []

  /** Says nothing until the caller goes away. */
  const hang = async (request: Request): Promise<Response> => {
    state.hanging++
    if (request.method === 'PUT') state.hungUploads++
    await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve(), { once: true }))
    state.hanging--
    return new Response()
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const isSigned = searchParams.get('X-Amz-Credential')?.startsWith(`${options.accessKeyId}/`)
      if (!isSigned || !searchParams.has('X-Amz-Signature')) return xml(403, 'AccessDenied')
      const path = decodeURIComponent(pathname)
      const prefix = `/${options.bucket}/`
      if (!path.startsWith(prefix)) return xml(404, 'NoSuchBucket')
      const failure = failures.shift()
      if (failure) return failure
      if (hangs) return hang(request)
      const key = path.slice(prefix.length)
      if (request.method === 'PUT') {
        // A store refuses a body that does not say its length.
        if (!request.headers.has('content-length')) return xml(411, 'MissingContentLength')
        const type = request.headers.get('content-type') ?? ''
        objects.set(key, { bytes: new Uint8Array(await request.arrayBuffer()), type })
        return new Response(null, { headers: { etag: '"1"' } })
      }
      if (request.method === 'DELETE') {
        objects.delete(key)
        return new Response(null, { status: 204 })
      }
      const found = objects.get(key)
      if (!found) return xml(404, 'NoSuchKey')
      return new Response(found.bytes, { headers: { 'content-type': found.type, etag: '"1"' } })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    objects,
    /** `hanging`: requests that wait for a response; `hungUploads`: uploads that ever did. */
    state,
    /** Lets every request wait for ever. */
    hang() {
      hangs = true
    },
    /** Refuses the next requests in this way. */
    failNext(count: number, status: number, code: string) {
      failures = Array.from({ length: count }, () => xml(status, code))
    },
    /** Serves as usual. */
    recover() {
      hangs = false
      failures = []
    },
    stop: () => server.stop(true),
  }
}

/** A store whose responses begin, and never end. */
export async function startStalledStore() {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.once('error', () => socket.destroy())
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The store does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Connections that are open. */
    open,
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
