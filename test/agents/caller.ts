import type { TestApp } from '../support/app.ts'

/** An answer as tests look at it. */
export interface Answer {
  status: number
  headers: Headers
  body: Awaited<ReturnType<Response['json']>>
}

/** Sends requests with one token. */
export function callerOf(app: TestApp, token: string) {
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> => {
    const answer = await app.send(method, path, { token, body, headers })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
  return {
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown = {}, headers?: Record<string, string>) => send('POST', path, body, headers),
    async agent(fields: object = {}): Promise<string> {
      return (await send('POST', '/agents', { name: 'Desk', ...fields })).body.data.id
    },
    async chat(agentId: string, fields: object = {}): Promise<string> {
      return (await send('POST', `/agents/${agentId}/chats`, fields)).body.data.id
    },
  }
}

export type Caller = ReturnType<typeof callerOf>
