import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

test('an assistant is created, read, updated, listed and deleted on both sides', async () => {
  const { token } = await newUser(app.database)
  const created = await app.send('POST', '/assistants', {
    token,
    body: { name: 'Desk', firstMessage: 'Hi {{assistant_name}}' },
  })
  expect(created.status).toBe(201)
  const { data, message } = await created.json()
  expect(message).toBe('Assistant created successfully')
  expect(data).toMatchObject({
    name: 'Desk',
    type: 'demo',
    first_message: 'Hi Desk',
    first_message_raw: 'Hi {{assistant_name}}',
  })

  const path = `/assistants/${data.assistant_id}`
  const live = await app.services.platform.assistants.get(data.voice_assistant_id)
  expect(live).toMatchObject({ name: 'Desk', firstMessage: 'Hi Desk', metadata: { external_ref: data.assistant_id } })

  const updated = await app.send('PUT', path, { token, body: { name: 'Front', maxDurationSeconds: 60 } })
  expect(await updated.json()).toMatchObject({
    success: true,
    message: 'Assistant updated successfully',
    data: { name: 'Front', first_message: 'Hi Front', max_duration_seconds: 60 },
  })
  const read = await app.send('GET', path, { token })
  expect(await read.json()).toMatchObject({
    success: true,
    data: { name: 'Front', coreData: { maxDurationSeconds: 60 } },
  })

  const list = await app.send('GET', '/assistants', { token })
  expect((await list.json()).pagination).toEqual({
    current_page: 1,
    last_page: 1,
    per_page: 15,
    total: 1,
    from: 1,
    to: 1,
  })

  const deleted = await app.send('DELETE', path, { token })
  expect(await deleted.json()).toEqual({ success: true, message: 'Assistant deleted successfully' })
  expect((await app.send('GET', path, { token })).status).toBe(404)
  await expect(app.services.platform.assistants.get(data.voice_assistant_id)).rejects.toMatchObject({
    kind: 'not_found',
  })
})
