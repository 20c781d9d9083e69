import { createServer, type Socket } from 'node:net'

/** A request as it came over the wire. */
export interface HttpRequest {
  method: string
  path: string
  query: URLSearchParams
  body: string
}

/** What is sent back. */
export interface HttpResponse {
  status: number
  text: string
  headers?: Record<string, string>
}

/** How a request is answered; the ways in which networks break are among them. */
export interface HttpReply {
  send(response: HttpResponse): void
  /** Half of a response, then a reset. */
  tear(response: HttpResponse): void
  /** A response whose text ends in the middle, although its length is right. */
  truncate(response: HttpResponse): void
  /** Ends the connection without a word. */
  drop(): void
}

/** A response in JSON. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  text: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

type Handle = (request: HttpRequest, reply: HttpReply) => void

interface Parsed {
  request: HttpRequest
  length: number
}

/** The first whole request of what was received, or undefined while there is none. */
function parse(received: Buffer): Parsed | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [start = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
  const [method = '', target = '/'] = start.split(' ')
  const lengthLine = lines.find((line) => /^content-length:/i.test(line))
  const bodyLength = Number(lengthLine?.split(':')[1] ?? 0)
  const length = headEnd + 4 + bodyLength
  if (received.length < length) return undefined
  const url = new URL(target, 'http://localhost')
  const body = received.subarray(headEnd + 4, length).toString()
  return { request: { method, path: url.pathname, query: url.searchParams, body }, length }
}

function bytes({ status, text, headers }: HttpResponse): Buffer {
  const all = { 'content-length': String(Buffer.byteLength(text)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${text}`)
}

function replyOn(socket: Socket): HttpReply {
  const write = (content: Buffer) => {
    if (!socket.destroyed) socket.write(content)
  }
  return {
    send: (response) => write(bytes(response)),
    tear(response) {
      const whole = bytes(response)
      write(whole.subarray(0, Math.floor(whole.length / 2)))
      setTimeout(() => socket.destroy(), 5)
    },
    truncate: ({ text, ...rest }) => write(bytes({ ...rest, text: text.slice(0, Math.floor(text.length / 2)) })),
    drop: () => socket.destroy(),
  }
}

/** An HTTP server on bare sockets, small enough to break a connection at any byte. Chunked requests are not read. */
export async function startHttp(handle: Handle): Promise<{ url: string; stop(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let received: Buffer = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      for (let parsed = parse(received); parsed; parsed = parse(received)) {
        received = received.subarray(parsed.length)
        handle(parsed.request, replyOn(socket))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
