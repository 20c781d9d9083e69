interface Init {
  headers: Record<string, string>
  fetch: typeof fetch
}

/** The bytes of a stream as the fields of its events. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Record<string, string>> {
  const reader = body
    .pipeThrough<string>(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
      yield Object.fromEntries(fields.flatMap((field) => (field ? [[field[1], field[2]]] : [])))
    }
  }
}

/**
 * What tRPC's subscription link needs of an EventSource, over `fetch`: it sends the token in a header and the input in
 * the body, where the platform's own can send neither, and never sends a message a second time by itself.
 */
export class PostEventSource extends EventTarget {
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSED = 2
  readyState = 0
  readonly #left = new AbortController()

  constructor(url: string, init: Init) {
    super()
    this.#read(new URL(url), init).catch((error: unknown) => this.#fail({ message: String(error), cause: error }))
  }

  async #read(url: URL, { fetch, headers }: Init): Promise<void> {
    const body = url.searchParams.get('input') ?? '{}'
    url.searchParams.delete('input')
    const response = await fetch(url.href, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      signal: this.#left.signal,
    })
    if (!response.ok || !response.body) {
      return this.#fail(await response.json().catch(() => ({ message: `status ${response.status}` })))
    }
    this.readyState = 1
    for await (const { event = 'message', data } of eventsIn(response.body)) {
      if (data === undefined) continue
      if (event === 'serialized-error') return this.#fail({ error: JSON.parse(data) })
      this.dispatchEvent(Object.assign(new Event(event), { data }))
    }
    this.#fail({ message: 'The connection was lost.' })
  }

  /** Tells the link, which takes `error` for what the server said. */
  #fail(failure: object): void {
    if (this.readyState === this.CLOSED) return
    this.readyState = this.CLOSED
    this.dispatchEvent(Object.assign(new Event('error'), failure))
  }

  close(): void {
    this.readyState = this.CLOSED
    this.#left.abort()
  }
}
