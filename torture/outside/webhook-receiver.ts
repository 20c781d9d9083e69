import { json, startHttp } from './http.ts'

/** Takes the webhooks of calls, and remembers which calls were reported. */
export async function startReceiver() {
  const reported = new Set<string>()
  const http = await startHttp((request, reply) => {
    const { message } = JSON.parse(request.body || '{}')
    if (message?.type === 'end-of-call-report' && typeof message.call?.id === 'string') reported.add(message.call.id)
    reply.send(json(200, {}))
  })
  return { url: http.url, reported, stop: http.stop }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
