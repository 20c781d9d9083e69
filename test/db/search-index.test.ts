import { expect, test } from 'vitest'
import { newUser, testApp } from '../support/app.ts'

test('the words of what is uploaded stand in the index at once, and wait in no list that searches read', async () => {
  const app = await testApp()
  const { token } = await newUser(app.database)
  const created = await app.send('POST', '/agents', { token, body: { name: 'Guide' } })
  const agent: string = (await created.json()).data.id
  const form = new FormData()
  const paragraphs = Array.from({ length: 20 }, (_, index) =>
    `Locker ${index} of room ${index} holds box b${index}. `.repeat(3),
  )
  form.set('file', new File([paragraphs.join('\n\n')], 'lockers.txt'))
  expect((await app.send('POST', `/agents/${agent}/files`, { token, body: form })).status).toBe(201)
  const [waiting] = await app.database.sql`select gin_clean_pending_list('knowledge_chunks_terms') as pages`
  expect(waiting).toMatchObject({ pages: 0 })
  const found = await app.send('GET', `/agents/${agent}/search?q=b17`, { token })
  expect((await found.json()).data[0].text).toContain('b17')
})
