import express, { type Request, type Response } from 'express'
import { answerParent } from './parent.ts'
import { type Answer, answerTo, operations } from './with-drizzle.ts'

const send = async (response: Response, answer: Promise<Answer>) => {
  const { status, body } = await answer
  response.status(status).json(body)
}
const tokenOf = ({ headers }: Request) => headers.authorization

const app = express()
app.use(express.json())
app.get('/assistants', (request, response) => send(response, answerTo(tokenOf(request), operations.list)))
app.get('/assistants/:id', (request, response) => {
  const { id = '' } = request.params
  return send(
    response,
    answerTo(tokenOf(request), (caller) => operations.find(caller, id)),
  )
})
app.post('/assistants', (request, response) =>
  send(
    response,
    answerTo(tokenOf(request), (caller) => operations.create(caller, request.body)),
  ),
)
const server = app.listen(0, '127.0.0.1', () => answerParent(server.address().port))
