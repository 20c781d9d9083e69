import { expect, test } from 'vitest'
import { type Embedder, unit } from '../../src/knowledge/embedder.ts'
import { newUser, testApp } from '../support/app.ts'
import { indexedFile } from './indexed-file.ts'

const forms = Array.from({ length: 30 }, (_, number) => `Sheet ${number}: to be filled in.`)
const answer = 'Lost keys lie behind the bar.'

/**
 * Meanings by hand: the first number is what all sheets have in common, the second what the question is about, and the
 * others tell the texts apart.
 */
const meanings: [text: RegExp, ...vector: number[]][] = [
  [/^Where is my bunch\?/, 1, 0.9, 0, 0, 0, 0],
  [/^Do I fill in anything for my bunch\?/, 1, 0.5, 0, 0, 0, 0],
  [/^What does the special one say\?/, 1, 0, 0, 1, 0, 0],
  [/^Would somebody explain/, 0, 1, 0, 0, 0, 0],
  [/^It burned/, 0, 1, 0, 0, 0, 0.1],
  [/^All doors/, 0, 1, 0, 0, 0, 0.14],
  [/^Sheet 17:/, 1, 0, 0, 0.5, 0, 0],
  [/^Sheet \d*[02468]:/, 1, 0, 0.3, 0, 0, 0],
  [/^Sheet/, 1, 0, 0, 0, 0.3, 0],
  [/^Lost keys/, 0.1, 1, 0, 0, 0, 0.4],
  [/^Tell me about the garden\.\nAnd then\?/, 0, 0, 0, 0, 0.9, 0.2],
  [/^Tell me about the garden\.\nWhich room has a piano\?/, 0, 0, 0, 0.4, 0.9, 0],
  [/^Which room has a piano\?/, 0, 0, 0.5, 0.9, 0, 0],
  [/^And then\?/, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3],
  [/^Roses grow/, 0, 0, 0, 0, 1, 0],
  [/^Music is made/, 0, 0, 0, 1, 0, 0],
  [/^(Ist|Is) /, 0, 1, 0, 0, 0, 0],
  [/^Abends|^At night/, 0, 1, 0, 0, 0, 0.1],
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

/** An agent with one file of these paragraphs, and what a search of it finds first. */
async function agentWith(paragraphs: readonly string[]) {
  const app = await testApp({ embedder: byHand })
  const { token } = await newUser(app.database)
  const created = await app.send('POST', '/agents', { token, body: { name: 'Guide' } })
  const agent: string = (await created.json()).data.id
  await indexedFile(app, { token, agent, name: 'house.txt', text: paragraphs.join('\n\n') })
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
  return async (query: string, context?: string) =>
    (await app.services.search({ agentId: row?.id ?? 0, workspaceId: 1, query, context, limit: 3 }))[0]?.text
}

test('passages that all say nearly the same leave the first place to the one that answers', async () => {
  const first = await agentWith([...forms, answer])
  expect(await first('Where is my bunch?')).toBe(answer)
  // Nor do they have it by what they all share where the question is nearer to that.
  expect(await first('Do I fill in anything for my bunch?')).toBe(answer)
  // One of them that has something of its own is found as before.
  expect(await first('What does the special one say?')).toBe(forms[17])
})

test('one word of many does not outweigh what is nearer in meaning', async () => {
  const first = await agentWith(['All doors are blue.', 'It burned.'])
  expect(await first('Would somebody explain whatever happened yesterday evening behind those doors?')).toBe(
    'It burned.',
  )
})

test('what was said before finds what a question leaves out, and does not outweigh what the question says itself', async () => {
  const roses = 'Roses grow beside the gate.'
  const music = 'Music is made in the tower.'
  const first = await agentWith([roses, music])
  const before = 'Tell me about the garden.'
  expect(await first('And then?', before)).toBe(roses)
  expect(await first('Which room has a piano?', before)).toBe(music)
})

test('a word that the question shares with one passage does not outweigh the meaning of another', async () => {
  const paragraphs = ['The sauna is heated.', 'At night the cellar is dark.']
  const first = await agentWith(paragraphs)
  expect(await first('Is the sauna also for guests without a room?')).toBe(paragraphs[1])
})
