import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * Receives what calls send to an assistant's `webhook_url`, and believes only who knows the secret that the assistant's
 * `server.secret` has. Needs WEBHOOK_SECRET; PORT is 8787 unless set.
 */
const { PORT = '8787', WEBHOOK_SECRET: secret = '' } = process.env
const maxBytes = 1_000_000

const isSecret = (given: string) => {
  const [ours, theirs] = [Buffer.from(secret), Buffer.from(given)]
  return secret !== '' && ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

const server = createServer(async (request, response) => {
  const answer = (status: number) => response.writeHead(status).end()
  if (request.method !== 'POST') return answer(405)
  if (!isSecret(String(request.headers['x-vapi-secret'] ?? ''))) return answer(401)
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > maxBytes) return answer(413)
  }
  // Answer first: a delivery that waits too long is sent again.
  answer(204)
  const { message } = JSON.parse(body)
  console.log(message?.type, message?.call?.id)
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`)
})
