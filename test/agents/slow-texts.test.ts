import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { chooseTool } from '../../src/language-model/local/tool-choice.ts'
import { learnByRules } from '../../src/resources/memory/rules.ts'

const longestMessage = 20_000
const search: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'find_hours',
  description: 'Find the opening hours',
  inputSchema: { type: 'object', properties: { branch: { type: 'string' } }, required: ['branch'] },
}

/** A text of the longest message's length, that begins and ends as given. */
const filled = (start: string, unit: string, end: string) =>
  start + unit.repeat((longestMessage - start.length - end.length) / unit.length) + end

const readings: [what: string, read: () => unknown][] = [
  ['quotes that nobody closes', () => chooseTool([search], filled('find hours ', '“', ' find hours'))],
  ['commas before a word', () => learnByRules([filled('remember that ', ',', 'x')], [])],
  ['full stops before a word', () => learnByRules([filled('i prefer ', '.', 'x')], [])],
]

test.each(readings)('a message made to be read slowly is read at once: %s', (_, read) => {
  const started = performance.now()
  read()
  expect(performance.now() - started).toBeLessThan(150)
})

test('what is quoted in a question is still found', () => {
  expect(chooseTool([search], 'Please find the hours of “Harbour” now')).toEqual({
    name: 'find_hours',
    input: { branch: 'Harbour' },
  })
})
