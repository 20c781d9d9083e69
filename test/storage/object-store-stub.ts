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
  const late = new Map<string, Stored>()
  let hangs = (_request: Request) => false
  let failures: { response: Response; afterStoring: boolean }[] = []

  const sent = async (request: Request): Promise<Stored> => ({
    bytes: new Uint8Array(await request.arrayBuffer()),
    type: request.headers.get('content-type') ?? '',
  })

  /** Says nothing until the caller goes away. */
  const hang = async (request: Request, key: string): Promise<Response> => {
    state.hanging++
    if (request.method === 'PUT') {
      late.set(key, await sent(request))
      state.hungUploads++
    }
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
      const key = path.slice(prefix.length)
      const failure = failures.shift()
      if (failure?.afterStoring && request.method === 'PUT') objects.set(key, await sent(request))
      if (failure) return failure.response
      if (hangs(request)) return hang(request, key)
      if (request.method === 'PUT') {
        // A store refuses a body that does not say its length.
        if (!request.headers.has('content-length')) return xml(411, 'MissingContentLength')
        objects.set(key, await sent(request))
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
    /** Lets every request wait for ever, or those of a method. */
    hang(method?: string) {
      hangs = (request) => method === undefined || request.method === method
    },
    /** The keys of uploads that hung. */
    late: () => [...late.keys()],
    /** Stores what uploads that hung had sent. */
    storeLate() {
      for (const [key, stored] of late) objects.set(key, stored)
      late.clear()
    },
    /** Refuses the next requests in this way: uploads only after it has stored them, if that is asked. */
    failNext(count: number, status: number, code: string, { afterStoring = false } = {}) {
      failures = Array.from({ length: count }, () => ({ response: xml(status, code), afterStoring }))
    },
    /** Serves as usual. */
    recover() {
      hangs = () => false
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
