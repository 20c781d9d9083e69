import { connect } from 'node:net'
import type { FuzzRequest, Seen } from './request.ts'
import type { Target } from './target.ts'

/** How long a response is waited for, in milliseconds. */
const maxWait = 30_000
/** How long a server that may say nothing is listened to, in milliseconds. */
const silence = 120

const parsedBody = (type: string, text: string): unknown => {
  if (type !== 'application/json') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mediaTypeOf = (contentType: string | null) => contentType?.split(';')[0]?.trim().toLowerCase() ?? ''

/** Sends a request and reads its response; nothing where the server was free to say nothing, and did. */
export async function send(target: Target, request: FuzzRequest): Promise<Seen | undefined> {
  return request.kind === 'raw' ? sendRaw(target, request) : sendWhole(target, request)
}

async function sendWhole({ url }: Target, { method, target, headers, body }: FuzzRequest): Promise<Seen> {
  const started = performance.now()
  const response = await fetch(`${url}${target}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: 'manual',
    signal: AbortSignal.timeout(maxWait),
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const type = mediaTypeOf(response.headers.get('content-type'))
  return {
    status: response.status,
    headers: [...response.headers],
    type,
    text,
    body: parsedBody(type, text),
    milliseconds: performance.now() - started,
  }
}

/** The bytes that a server sends back until it ends the connection, or has nothing more to say. */
function exchange(url: string, { pieces, hangs }: FuzzRequest): Promise<Buffer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const read: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const end = () => {
      clearTimeout(quiet)
      clearTimeout(late)
      socket.destroy()
      resolve(Buffer.concat(read))
    }
    let quiet: ReturnType<typeof setTimeout> | undefined
    const late = setTimeout(end, maxWait)
    const wait = () => {
      clearTimeout(quiet)
      if (hangs) quiet = setTimeout(end, silence)
    }
    socket.on('data', (chunk) => {
      read.push(Buffer.from(chunk))
      wait()
    })
    socket.once('close', end)
    socket.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(quiet)
      clearTimeout(late)
      if (error.code === 'ECONNREFUSED') reject(error)
      else end()
    })
    socket.once('connect', async () => {
      for (const { bytes, pause } of pieces) {
        if (socket.destroyed) return
        socket.write(bytes)
        if (pause > 0) await Bun.sleep(pause)
      }
      wait()
    })
  })
}

async function sendRaw({ url }: Target, request: FuzzRequest): Promise<Seen | undefined> {
  const started = performance.now()
  const text = (await exchange(url, request)).toString('utf8')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0)
  if (status === 0)
    return text === '' ? undefined : { status, headers: [], type: '', text, body: undefined, milliseconds: 0 }
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const headers = head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
  const type = mediaTypeOf(headers.find(([name]) => name === 'content-type')?.[1] ?? null)
  const content = rest.join('\r\n\r\n')
  return { status, headers, type, text, body: parsedBody(type, content), milliseconds: performance.now() - started }
}
