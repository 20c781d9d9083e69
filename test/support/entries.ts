import { newUser, type TestApp } from './app.ts'
import { clientOf } from './client.ts'

/** Makes an entry of the catalogue, as an operator does. Returns its id. */
export async function newEntry(app: TestApp, kind: string, body: object): Promise<number> {
  const { token } = await newUser(app.database, { role: 'admin' })
  return (await clientOf(app, token).data('POST', `/admin/${kind}`, body)).id
}
