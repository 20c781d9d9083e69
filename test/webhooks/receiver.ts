import { createHmac } from 'node:crypto'

/** A request that a receiver got. `path` is what follows its URL, `message` that of its body. */
export interface Received {
  path: string
  headers: Headers
  text: string
  message: Record<string, unknown>
}

export interface Receiver {
  url: string
  received: Received[]
  /** How the next requests are answered; 200 when none is left. */
  answers: (number | 'hang')[]
  /** Their types, for one call when its id is given. */
  types(callId?: string): unknown[]
  stop(): Promise<void>
}

/**
 * A webhook's receiver on loopback, at a path of its own: what was sent to an earlier one whose port it has by chance
 * is 404.
 * @param url of one that was stopped, whose place it takes
 */
export function startReceiver(url?: string): Receiver {
  const { port, pathname: own } = new URL(url ?? `http://127.0.0.1:0/${crypto.randomUUID()}`)
  const received: Received[] = []
  const answers: Receiver['answers'] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (!pathname.startsWith(own)) return new Response(null, { status: 404 })
      const text = await request.text()
      const { message } = JSON.parse(text)
      received.push({ path: pathname.slice(own.length), headers: request.headers, text, message })
      const answer = answers.shift() ?? 200
      if (answer === 'hang') await Bun.sleep(3_000)
      return new Response(null, { status: answer === 'hang' ? 200 : answer })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}${own}`,
    received,
    answers,
    types: (callId) =>
      received
        .filter(({ message }) => callId === undefined || (message.call as { id?: string }).id === callId)
        .map(({ message }) => message.type),
    stop: () => server.stop(true),
  }
}

/** Whether a request is signed with a secret, as the documentation says. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const expected = createHmac('sha256', secret)
    .update(`${headers.get('x-timestamp')}.${text}`)
    .digest('hex')
  return headers.get('x-signature') === expected
}
