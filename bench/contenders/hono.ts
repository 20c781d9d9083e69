import { type Context, Hono } from 'hono'
import { answerParent } from './parent.ts'
import { type Answer, answerTo, operations } from './with-drizzle.ts'

const send = async (context: Context, answer: Promise<Answer>) => {
  const { status, body } = await answer
  return context.json(body, status as 200)
}
const tokenOf = ({ req }: Context) => req.header('authorization')

const app = new Hono()
app.get('/assistants', (context) => send(context, answerTo(tokenOf(context), operations.list)))
app.get('/assistants/:id', (context) =>
  send(
    context,
    answerTo(tokenOf(context), (caller) => operations.find(caller, context.req.param('id'))),
  ),
)
app.post('/assistants', async (context) => {
  const body: unknown = await context.req.json()
  return send(
    context,
    answerTo(tokenOf(context), (caller) => operations.create(caller, body)),
  )
})
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
answerParent(Number(server.port))
