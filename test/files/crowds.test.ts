import { expect, test } from 'vitest'
import { type Embedder, unit } from '../../src/knowledge/embedder.ts'
import { newUser, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'

const forms = Array.from({ length: 30 }, (_, number) => `Sheet ${number}: to be filled in.`)
const answer = 'Lost keys lie behind the bar.'

/**
 * Meanings by hand: the first number is what all sheets have in common, the second what the question is about, and the
 * others tell the texts apart.
 */
const meanings: [text: RegExp, ...vector: number[]][] = [
  [/^Where is my bunch\?/, 1, 0.9, 0, 0, 0, 0],
  [/^What does the special one say\?/, 1, 0, 0, 1, 0, 0],
  [/^Sheet 17:/, 1, 0, 0, 0.5, 0, 0],
  [/^Sheet \d*[02468]:/, 1, 0, 0.3, 0, 0, 0],
  [/^Sheet/, 1, 0, 0, 0, 0.3, 0],
  [/^Lost keys/, 0.1, 1, 0, 0, 0, 0.4],
]

const byHand: Embedder = {
  id: 'by-hand',
  related: { least: 0.15, most: 0.6 },
  embed: async (texts) =>
    texts.map((text) =>
      unit(
        meanings
          .find(([pattern]) => pattern.test(text))
          ?.slice(1)
          .map(Number) ?? [0, 0, 0, 0, 0, 0],
      ),
    ),
  close() {},
}

test('passages that all say nearly the same leave the first place to the one that answers', async () => {
  const app = await testApp({ embedder: byHand })
  const { token } = await newUser(app.database)
  const created = await app.send('POST', '/agents', { token, body: { name: 'Guide' } })
  const agent: string = (await created.json()).data.id
  const form = new FormData()
  form.set('file', new File([[...forms, answer].join('\n\n')], 'house.txt'))
  expect((await app.send('POST', `/agents/${agent}/files`, { token, body: form })).status).toBe(201)
  await until(async () => {
    await app.services.indexer.work.run()
    return (await (await app.send('GET', `/agents/${agent}/files`, { token })).json()).data[0].indexed
  })
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
  const first = async (query: string) =>
    (await app.services.search({ agentId: row?.id ?? 0, workspaceId: 1, query, limit: 3 }))[0]?.text
  expect(await first('Where is my bunch?')).toBe(answer)
  // One of them that has something of its own is found as before.
  expect(await first('What does the special one say?')).toBe(forms[17])
})
