import fastify, { type FastifyReply } from 'fastify'
import { answerParent } from './parent.ts'
import { type Answer, answerTo, operations } from './with-drizzle.ts'

const send = async (reply: FastifyReply, answer: Promise<Answer>) => {
  const { status, body } = await answer
  return reply.code(status).send(body)
}

const app = fastify()
app.get('/assistants', ({ headers }, reply) => send(reply, answerTo(headers.authorization, operations.list)))
app.get<{ Params: { id: string } }>('/assistants/:id', ({ headers, params }, reply) =>
  send(
    reply,
    answerTo(headers.authorization, (caller) => operations.find(caller, params.id)),
  ),
)
app.post('/assistants', ({ headers, body }, reply) =>
  send(
    reply,
    answerTo(headers.authorization, (caller) => operations.create(caller, body)),
  ),
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
answerParent(Number(new URL(address).port))
