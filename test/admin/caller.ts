import { newUser, type TestApp, type TestUser } from '../support/app.ts'
import { type Client, clientOf } from '../support/client.ts'

/** A client, with the user that it is. */
export interface Caller extends TestUser, Client {}

export const callerOf = (app: TestApp, user: TestUser): Caller => ({ ...user, ...clientOf(app, user.token) })

/** A new operator. */
export const operator = async (app: TestApp): Promise<Caller> =>
  callerOf(app, await newUser(app.database, { role: 'admin' }))

export const someEmail = () => `someone-${crypto.randomUUID()}@example.com`

/** The answer to one refused field. */
export const refusal = (field: string, text: string) => ({
  status: 422,
  body: { message: text, errors: { [field]: [text] } },
})
