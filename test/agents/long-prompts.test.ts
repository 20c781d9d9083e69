import { expect, test } from 'vitest'
import { localModel } from '../../src/language-model/local/model.ts'
import { sourcesFor } from '../../src/language-model/local/sources.ts'
import type { Sources } from '../../src/language-model/prompt.ts'
import { turnsDuring } from '../support/turns.ts'

const birds = ['rook', 'crow', 'wren', 'swift', 'heron']
const sentences = (count: number) =>
  Array.from({ length: count }, (_, index) => `A ${birds[index % birds.length]} has number ${index}.`)

/** Asks the built-in model; returns its reply, and how often others had the thread meanwhile. */
async function ask(instructions: string, question: string) {
  const { model } = localModel()
  const sources: Sources = {
    ...{ agentName: 'an assistant', description: null, instructions, memory: null, passages: [], preamble: [] },
    workspaceId: 0,
  }
  const { result, turns } = await turnsDuring(async () =>
    model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: question }] }],
      providerOptions: sourcesFor(sources),
    }),
  )
  return { content: result.content, turns }
}

test('a prompt of thousands of sentences is read a few at a time, and its last one answers', async () => {
  const { content, turns } = await ask(
    [...sentences(5_000), 'The office opens at nine.'].join(' '),
    'When do you open?',
  )
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('The office opens at nine.') }])
  expect(turns).toBeGreaterThan(10)
})

test('a prompt of very many sentences, none of which answers, is answered soon', async () => {
  const before = process.cpuUsage()
  const { content } = await ask('A b.\n'.repeat(70_000), 'What about the identifier E-417?')
  const { user, system } = process.cpuUsage(before)
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }])
  expect((user + system) / 1_000).toBeLessThan(4_000)
})
