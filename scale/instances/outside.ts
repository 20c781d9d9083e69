/** What instances call outside. */
export const targets = ['model', 'embeddings', 'platform', 'receiver'] as const
export type Target = (typeof targets)[number]

/** Vectors of this many numbers. */
const dimensions = 8

interface Outside {
  url: string
  /** Requests that have come, by where they go. */
  readonly counts: Record<Target, number>
  /** Lets requests wait until `release`. */
  hold(target: Target): void
  release(target: Target): void
  stop(): Promise<void>
}

const stamped = (body: object, id: string) => ({
  ...body,
  ...{ id, orgId: 'org', createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() },
})

/** A voice platform that stores assistants. */
function createPlatform(): (method: string, id: string | undefined, body: object) => Response {
  const assistants = new Map<string, object>()
  return (method, id, body) => {
    if (method === 'GET' && id === undefined) return Response.json([...assistants.values()])
    if (method === 'POST') {
      const made = stamped(body, crypto.randomUUID())
      assistants.set(made.id, made)
      return Response.json(made, { status: 201 })
    }
    const found = id === undefined ? undefined : assistants.get(id)
    if (id === undefined || !found) return Response.json({ message: 'Not found', statusCode: 404 }, { status: 404 })
    if (method === 'PATCH') assistants.set(id, stamped({ ...found, ...body }, id))
    if (method === 'DELETE') assistants.delete(id)
    return Response.json(assistants.get(id) ?? found)
  }
}

/** A language model, embeddings, a voice platform and a receiver of webhooks, any of which can be made to wait. */
export function startOutside(): Outside {
  const counts: Record<Target, number> = { model: 0, embeddings: 0, platform: 0, receiver: 0 }
  const held = new Map<Target, PromiseWithResolvers<void>>()
  const platform = createPlatform()
  const message = { role: 'assistant', content: 'We open at nine.' }
  const completion = { id: 'reply', object: 'chat.completion', created: 0, model: 'stub' }
  const respond: Record<Target, (request: Request, path: string[]) => Promise<Response>> = {
    model: async () =>
      Response.json({
        ...completion,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      }),
    async embeddings(request) {
      const { input }: { input: string[] } = await request.json()
      const data = input.map((_, index) => ({ index, embedding: Array.from({ length: dimensions }, Math.random) }))
      return Response.json({ object: 'list', data, model: 'stub', usage: { prompt_tokens: 1, total_tokens: 1 } })
    },
    async platform(request, [kind, id]) {
      const body = request.method === 'GET' || request.method === 'DELETE' ? {} : await request.json()
      return kind === 'assistant' ? platform(request.method, id, body) : Response.json([])
    },
    receiver: async () => Response.json({}),
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const [, first, ...path] = new URL(request.url).pathname.split('/')
      const target = path.at(-1) === 'embeddings' ? 'embeddings' : targets.find((name) => name === first)
      if (!target) return new Response(null, { status: 404 })
      // A sweep that reads is none of what is measured.
      if (request.method !== 'GET') {
        counts[target] += 1
        await held.get(target)?.promise
      }
      return respond[target](request, path)
    },
  })
  const release = (target: Target) => {
    held.get(target)?.resolve()
    held.delete(target)
  }
  return {
    url: `http://127.0.0.1:${server.port}`,
    counts,
    hold: (target) => void held.set(target, Promise.withResolvers()),
    release,
    async stop() {
      for (const target of targets) release(target)
      await server.stop(true)
    },
  }
}
