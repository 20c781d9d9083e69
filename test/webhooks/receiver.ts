import { createHmac } from 'node:crypto'

/** A request that a receiver got. `message` is that of its body. */
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

/** A webhook's receiver on loopback. `port` takes up that of one that was stopped. */
export function startReceiver(port = 0): Receiver {
  const received: Received[] = []
  const answers: Receiver['answers'] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const text = await request.text()
      const { message } = JSON.parse(text)
      received.push({ path: new URL(request.url).pathname, headers: request.headers, text, message })
      const answer = answers.shift() ?? 200
      if (answer === 'hang') await Bun.sleep(3_000)
      return new Response(null, { status: answer === 'hang' ? 200 : answer })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
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
