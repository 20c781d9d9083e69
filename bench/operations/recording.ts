import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { modelStub } from '../contenders/model-stub.ts'
import { type Call, requestsFor } from '../requests.ts'

/** A statement as it went to the database. */
export interface Sent {
  text: string
  parameters: unknown[]
}

/** What a request was answered with, and what was sent to the database for it. */
export interface Recorded {
  method: string
  path: string
  status: number
  body: string
  statements: Sent[]
}

/** The environment of a server under measurement: no limits, and the embedded voice platform. */
export const environment = (url: string) =>
  readEnv({
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
    TURN_RATE_LIMIT_PER_MINUTE: '0',
  })

/** Until nothing is sent any more for a write whose response has come. */
const settleMs = 30

/** Sends every call twice, and tells what the second one did: by then whatever is remembered is known. */
export async function record(url: string, calls: Call[]): Promise<Recorded[]> {
  let statements: Sent[] = []
  const server = await startServer(environment(url), {
    models: [modelStub],
    onQuery: (text, parameters) => void statements.push({ text, parameters: [...parameters] }),
  })
  const send = async ({ method, path, token, body }: ReturnType<typeof requestsFor>[number]) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}${path}`, { method, headers, body })
    const text = await response.text()
    if (method === 'POST') await Bun.sleep(settleMs)
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${text}`)
    return { method, path, status: response.status, body: text }
  }
  try {
    const recorded: Recorded[] = []
    const requests = requestsFor('rest', calls)
    for (const request of requests) await send(request)
    for (const request of requests) {
      statements = []
      const response = await send(request)
      recorded.push({ ...response, statements })
    }
    return recorded
  } finally {
    await server.stop()
  }
}
