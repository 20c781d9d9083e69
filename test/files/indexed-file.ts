import { expect } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { until } from '../support/listening.ts'

/** Uploads a text to an agent, and waits until all its passages have their vectors. */
export async function indexedFile(app: TestApp, file: { token: string; agent: string; name: string; text: string }) {
  const { token, agent, name, text } = file
  const form = new FormData()
  form.set('file', new File([text], name))
  expect((await app.send('POST', `/agents/${agent}/files`, { token, body: form })).status).toBe(201)
  // A busy machine may leave the vectors to the background, which no test runs by itself.
  await until(async () => {
    await app.services.indexer.work.run()
    return (await (await app.send('GET', `/agents/${agent}/files`, { token })).json()).data[0].indexed
  })
}
