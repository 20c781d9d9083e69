import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client'
import { PostEventSource } from './event-source.ts'
import type { AppRouter, ErrorData, MessageEvent, UploadedKnowledgeFile } from './router.ts'

export type * from './router.ts'

export interface Options {
  /** Where the server is, such as `https://voice.example.com`. */
  url: string
  /** The bearer token, or what gives it at each request. */
  token: string | (() => string | Promise<string>)
  /** Another `fetch` than the platform's. */
  fetch?: typeof fetch
}

/** An upload or download that the server refused: its status, and the body with the text and the fields. */
export class SwitchboardError extends Error {
  readonly status: number
  readonly body: ErrorData['body']

  constructor(status: number, body: ErrorData['body']) {
    super(body.message ?? `status ${status}`)
    this.name = 'SwitchboardError'
    this.status = status
    this.body = body
  }
}

/** What the server said of a failed call, or undefined when the error is of another kind, such as a lost connection. */
export function errorOf(error: unknown): { status: number; body: ErrorData['body'] } | undefined {
  if (error instanceof SwitchboardError) return error
  if (!(error instanceof TRPCClientError)) return undefined
  const data = error.data as ErrorData | undefined
  return data && { status: data.httpStatus, body: data.body }
}

/** A message to send: to which chat of which agent, and what it says. */
export type NewMessage = { agent_id: string; chat_id: string; content: string; model?: string | null }

/** The server takes no more calls in one request. */
const maxItems = 50

/**
 * A client for one server and token: `api` has every procedure. Calls made together go as one request, but for those
 * whose input is a form; downloads go beside them over REST.
 */
export function createSwitchboard({ url, token, fetch: given = fetch }: Options) {
  const base = url.replace(/\/+$/, '')
  const headers = async () => ({ authorization: `Bearer ${typeof token === 'string' ? token : await token()}` })
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: `${base}/trpc`,
          EventSource: PostEventSource,
          eventSourceOptions: async () => ({ headers: await headers(), fetch: given as typeof fetch }),
        }),
        false: splitLink({
          condition: ({ input }) => input instanceof FormData,
          true: httpLink({ url: `${base}/trpc`, headers, fetch: given as typeof fetch }),
          false: httpBatchLink({ url: `${base}/trpc`, headers, maxItems, fetch: given as typeof fetch }),
        }),
      }),
    ],
  })

  async function rest(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await given(`${base}${path}`, { ...init, headers: await headers() })
    if (response.ok) return response
    throw new SwitchboardError(response.status, await response.json().catch(() => ({})))
  }

  return {
    api,
    /**
     * Sends a message, and gives the reply while it is written, then the stored turn. Who leaves the loop, or aborts
     * `signal`, ends the turn: nothing is stored or charged then. Throws what `errorOf` reads.
     */
    async *streamMessage(message: NewMessage, init: { signal?: AbortSignal } = {}): AsyncGenerator<MessageEvent> {
      const waiting: MessageEvent[] = []
      let ended: { error?: unknown } | undefined
      let news = () => {}
      const end = (error?: unknown) => {
        ended ??= { error }
        news()
      }
      const subscription = api.messages.stream.subscribe(message, {
        ...init,
        onData(event) {
          waiting.push(event)
          news()
        },
        onError: end,
        onComplete: () => end(init.signal?.reason),
      })
      try {
        while (true) {
          const event = waiting.shift()
          if (event) yield event
          else if (!ended) {
            await new Promise<void>((resolve) => {
              news = resolve
            })
          } else if (ended.error !== undefined) throw ended.error
          else return
        }
      } finally {
        subscription.unsubscribe()
      }
    },
    /** Gives an agent a file. Throws SwitchboardError. */
    async uploadFile(agentId: string, file: File, init: { signal?: AbortSignal } = {}): Promise<UploadedKnowledgeFile> {
      const body = new FormData()
      body.set('file', file)
      const response = await rest(`/agents/${encodeURIComponent(agentId)}/files`, { method: 'POST', body, ...init })
      const { data } = (await response.json()) as { data: UploadedKnowledgeFile }
      return data
    },
    /** The bytes of an agent's file. Throws SwitchboardError. */
    async downloadFile(agentId: string, fileId: number): Promise<Blob> {
      const response = await rest(`/agents/${encodeURIComponent(agentId)}/files/${fileId}/content`)
      return response.blob()
    },
  }
}
