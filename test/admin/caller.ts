import { newUser, type TestApp, type TestUser } from '../support/app.ts'

export interface Answer {
  status: number
  body: Record<string, unknown> & { data: Record<string, unknown> & { id: number } }
}

/** Calls with one token; answers status and body. */
export interface Caller extends TestUser {
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

export const callerOf = (app: TestApp, user: TestUser): Caller => ({
  ...user,
  async call(method, path, body) {
    const answer = await app.send(method, path, { token: user.token, body })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  },
})

/** A new operator. */
export const operator = async (app: TestApp): Promise<Caller> =>
  callerOf(app, await newUser(app.database, { role: 'admin' }))

export const someEmail = () => `someone-${crypto.randomUUID()}@example.com`

/** The answer to one refused field. */
export const refusal = (field: string, text: string) => ({
  status: 422,
  body: { message: text, errors: { [field]: [text] } },
})
