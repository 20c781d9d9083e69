import { newUser, type TestApp, type TestUser, type UserOptions } from './app.ts'

/** A response as tests compare it: its status, and its body as the JSON that it is. Its headers are there as well. */
export class Reply {
  readonly #headers: Headers

  constructor(
    readonly status: number,
    readonly body: Awaited<ReturnType<Response['json']>>,
    headers: Headers,
  ) {
    this.#headers = headers
  }

  get headers(): Headers {
    return this.#headers
  }
}

/** Reads a response: JSON where it says that it is, otherwise its text. */
export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return new Reply(response.status, isJson && text ? JSON.parse(text) : text, response.headers)
}

/** Sends requests to the application with one token. */
export interface Client {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  get(path: string): Promise<Reply>
  /** With an empty body unless one is given. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** The `data` of a response that must be a success. */
  data(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply['body']>
}

export function clientOf(app: TestApp, token: string): Client {
  const send: Client['send'] = async (method, path, body, headers) => {
    return replyOf(await app.send(method, path, { token, body, headers }))
  }
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body = {}, headers) => send('POST', path, body, headers),
    async data(method, path, body, headers) {
      const { status, body: read } = await send(method, path, body, headers)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(read)}`)
      return read.data
    },
  }
}

/** A new user, as the options say, with a client. */
export async function newClient(app: TestApp, options?: UserOptions): Promise<Client & TestUser> {
  const user = await newUser(app.database, options)
  return { ...user, ...clientOf(app, user.token) }
}
