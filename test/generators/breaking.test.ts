import { describe, expect, test } from 'vitest'
import { breakingChanges, unnamed } from '../../scripts/breaking/compare.ts'

const text = { type: 'string' }
const input = { type: 'object', properties: { name: { ...text, maxLength: 50 }, kind: { enum: ['a', 'b'] } } }
const output = { type: 'object', properties: { id: { type: 'integer' }, name: text }, required: ['id', 'name'] }

interface Parts {
  path?: string
  input?: object
  output?: object
  parameters?: object[]
  status?: number
}

const document = ({ path = '/things', status = 200, parameters = [], ...bodies }: Parts = {}) => ({
  paths: {
    [path]: {
      post: {
        parameters,
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } } },
        responses: { [status]: { content: { 'application/json': { schema: bodies.output ?? output } } } },
      },
    },
  },
  components: { schemas: { Input: bodies.input ?? input } },
})

const page = (schema: object, required = false) => ({ in: 'query', name: 'page', schema, required })
const properties = (more: object) => ({ ...input, properties: { ...input.properties, ...more } })

describe('what breaks clients', () => {
  test.each<[string, Parts, Parts, string[]]>([
    ['nothing', {}, {}, []],
    ['an operation that is gone', {}, { path: '/other' }, ['it is gone']],
    ['another status', {}, { status: 201 }, ['success is 201, and was 200']],
    ['a parameter that is gone', { parameters: [page(text)] }, {}, ['the query page is gone']],
    ['a parameter that is demanded', {}, { parameters: [page(text, true)] }, ['the query page is required']],
    ['a new parameter', {}, { parameters: [page(text)] }, []],
    ['a demanded field', {}, { input: { ...input, required: ['name'] } }, ['name is required']],
    ['a new field', {}, { input: properties({ note: text }) }, []],
    [
      'a field of another type',
      {},
      { input: properties({ name: { type: 'number' } }) },
      ['name was string, and is number'],
    ],
    ['a field that may be null, too', {}, { input: properties({ name: { type: ['string', 'null'] } }) }, []],
    [
      'a shorter text',
      {},
      { input: properties({ name: { ...text, maxLength: 20 } }) },
      ['name: maxLength went from 50 to 20'],
    ],
    ['a longer text', {}, { input: properties({ name: { ...text, maxLength: 90 } }) }, []],
    ['a value that is not taken', {}, { input: properties({ kind: { enum: ['a'] } }) }, ['kind takes "b" no more']],
    ['one more value', {}, { input: properties({ kind: { enum: ['a', 'b', 'c'] } }) }, []],
    [
      'one of two kinds that is not taken',
      { input: properties({ name: { anyOf: [text, { type: 'number' }] } }) },
      { input: properties({ name: text }) },
      ['name was number, and is string'],
    ],
    [
      'a response with less',
      {},
      { output: { ...output, properties: { id: { type: 'integer' } }, required: ['id'] } },
      ['in the response name is gone'],
    ],
    ['a response with more', {}, { output: { ...output, properties: { ...output.properties, note: text } } }, []],
    [
      'a field that may be missing',
      {},
      { output: { ...output, required: ['id'] } },
      ['in the response name may be missing'],
    ],
    [
      'a field that may be null',
      {},
      { output: { ...output, properties: { ...output.properties, name: { type: ['string', 'null'] } } } },
      ['in the response name was string, and is string or null'],
    ],
  ])('%s', (_name, before, after, changes) => {
    const found = breakingChanges(document(before), document(after))
    expect(found.map(({ change }) => change)).toEqual(changes)
    for (const { operation } of found) expect(operation).toBe('POST /things')
  })

  test('schemas that hold themselves come to an end', () => {
    const tree = { type: 'object', properties: { below: { $ref: '#/components/schemas/Input' } } }
    expect(breakingChanges(document({ input: tree }), document({ input: tree }))).toEqual([])
  })
})

test('a change passes when the newest section of the changelog names its operation', () => {
  const changes = [{ operation: 'POST /things', change: 'it is gone' }]
  const changelog = (now: string, then: string) =>
    `# Changelog\n\n## Unreleased\n\n${now}\n\n## 0.1.0 (2026-01-01)\n\n${then}\n`
  expect(unnamed(changes, changelog('- `POST /things` is gone.', '- New.'))).toEqual([])
  expect(unnamed(changes, changelog('- New.', '- `POST /things` is gone.'))).toEqual(changes)
  expect(unnamed(changes, changelog('- `POST /things/{id}` is gone.', ''))).toEqual(changes)
})
