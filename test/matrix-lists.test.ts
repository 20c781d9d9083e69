import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readDescription, type Schema } from '../fuzz/description.ts'
import { openApiDocument } from '../src/api/openapi/document.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { restRouter } from '../src/router.ts'
import { adders, clearEntries } from './matrix/entries.ts'
import { callerOf, paramsOf } from './matrix/request.ts'
import { callOn, createWorld, type Face, type Input, type World } from './matrix/world.ts'
import { newUser, type TestUser } from './support/app.ts'

/** Every list that has pages, on both faces: one that is added tomorrow is in it. */
const operations = operationsOf(restRouter)
const takes = (field: string) => (operation: Operation) =>
  operation.inputs.some((input) => input instanceof z.ZodObject && field in input.shape)
const lists = operations.filter(takes('page'))

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(clearEntries)

interface Page {
  data: Record<string, unknown>[]
  has_more?: boolean
  next_cursor?: string | null
  pagination?: { total: number; last_page: number; from: number | null; to: number | null; next_cursor?: string | null }
}

async function pageOf(operation: Operation, params: Input, input: Input, face: Face = 'rest'): Promise<Page> {
  const response = await callOn(face)(world, operation, params, input, callerOf(world, operation).token)
  if (response.status !== 200) throw new Error(`${operation.name}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body as Page
}

const entries = 5
const atLeast = 2

/** A list with some entries of its own. */
async function filled(operation: Operation): Promise<Input> {
  const params = await paramsOf(world, operation)
  const add = adders[operation.name]
  if (!add) throw new Error(`${operation.name}: say in test/matrix/entries.ts how an entry is added`)
  for (let count = 0; count < entries; count++) await add(world, params)
  return params
}

/** How some lists can be asked besides, where a parameter takes more than a few values. */
const variants: Record<string, Input[]> = {
  'assistants.list': [
    { sort_by: 'created_at' },
    { sort_by: 'user_id', sort_order: 'desc' },
    { search: 'desk', sort_order: 'desc' },
  ],
  'agents.list': [{ q: 'guide' }],
  'squads.list': [{ search: 'team' }],
}

const description = readDescription(JSON.stringify(openApiDocument(restRouter, '/')))

/** The values of a schema that takes only a few. */
function valuesOf(given: Schema): unknown[] {
  const schema = description.resolve(given)
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(valuesOf)
  return [...parts, ...(schema.enum ?? []), ...([schema.type].flat().includes('boolean') ? [true, false] : [])]
}

/** The parameters of a list that take only a few values, with each of these. */
function choicesOf({ name }: Operation): { parameter: string; values: unknown[] }[] {
  const described = description.operations.find(({ procedure }) => procedure === name)
  if (!described) throw new Error(`${name} is not described`)
  return described.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name: parameter, schema }) => ({ parameter, values: valuesOf(schema).filter((value) => value !== null) }))
    .filter(({ values }) => values.length > 0)
}

async function byPages(operation: Operation, params: Input, asked: Input, perPage: number): Promise<Page['data']> {
  const found: Page['data'] = []
  for (let page = 1; ; page++) {
    const { data, has_more: more, pagination } = await pageOf(operation, params, { ...asked, page, per_page: perPage })
    found.push(...data)
    if (pagination ? page >= pagination.last_page : !more) return found
  }
}

async function byCursor(
  operation: Operation,
  params: Input,
  asked: Input,
  perPage: number,
  face: Face,
): Promise<Page['data']> {
  const found: Page['data'] = []
  for (let cursor = ''; ; ) {
    const {
      data,
      has_more: more,
      pagination,
      ...rest
    } = await pageOf(operation, params, { ...asked, cursor, per_page: perPage }, face)
    const next = pagination ? pagination.next_cursor : rest.next_cursor
    const place = data.length > 0 ? [found.length + 1, found.length + data.length] : [null, null]
    if (pagination) expect([pagination.from, pagination.to]).toEqual(place)
    found.push(...data)
    if (!pagination) expect(more).toBe(next !== null)
    if (next === null) {
      if (pagination) expect(pagination.total).toBe(found.length)
      return found
    }
    cursor = z.string().min(1).parse(next)
  }
}

test('every list that has pages has a cursor', () => {
  expect(lists.filter((operation) => !takes('cursor')(operation)).map(({ name }) => name)).toEqual([])
})

test.each(lists.map((operation) => [operation.name, operation] as const))(
  '%s gives the same entries by cursor as by pages',
  async (_name, operation) => {
    const params = await filled(operation)
    const first = await pageOf(operation, params, { per_page: 1 })
    // Some lists have what other tests made; those go in a few large pages.
    const perPage = Math.min(100, Math.max(1, Math.ceil((first.pagination?.total ?? 0) / 4)))
    expect(JSON.stringify(first)).not.toContain('next_cursor')
    const walk = async (asked: Input) => {
      const pages = await byPages(operation, params, asked, perPage)
      for (const face of ['rest', 'trpc'] as const) {
        expect({ asked, data: await byCursor(operation, params, asked, perPage, face) }).toEqual({ asked, data: pages })
      }
      return pages
    }
    for (const asked of [{}, ...(variants[operation.name] ?? [])]) {
      expect((await walk(asked)).length).toBeGreaterThanOrEqual(atLeast)
    }
    for (const { parameter, values } of choicesOf(operation)) {
      const found: Page['data'][] = []
      for (const value of values) found.push(await walk({ [parameter]: value }))
      const told = `no ${parameter} finds ${atLeast} entries: have those of test/matrix/entries.ts be found by one`
      expect(Math.max(...found.map(({ length }) => length)), told).toBeGreaterThanOrEqual(atLeast)
      const different = new Set(found.map((data) => JSON.stringify(data))).size
      expect(different, `${parameter} changes nothing of what is found`).toBeGreaterThan(1)
    }
  },
)

describe('a cursor', () => {
  const operation = lists.find(({ name }) => name === 'assistants.list')
  if (!operation) throw new Error('no list of assistants')
  const names = ({ data }: Page) => data.map(({ name }) => name)
  const refused = {
    status: 422,
    body: {
      success: false,
      message: 'The cursor field must be empty, or the next_cursor of this list with the same filters.',
      errors: { cursor: ['The cursor field must be empty, or the next_cursor of this list with the same filters.'] },
    },
  }

  test('passes over nothing and repeats nothing while entries come and go', async () => {
    const user = await newUser(world.app.database)
    const make = (name: string) => world.make('POST', '/assistants', { name }, user)
    for (const name of ['A', 'B', 'C', 'D', 'E']) await make(name)
    const read = async (cursor: unknown) =>
      (await callOn('rest')(world, operation, {}, { cursor, per_page: 2 }, user.token)).body as Page
    const first = await read('')
    expect(names(first)).toEqual(['A', 'B'])
    await make('AA')
    const { data } = await read('')
    const last = data.find(({ name }) => name === 'AA') ?? {}
    const second = await read(first.pagination?.next_cursor)
    expect(names(second)).toEqual(['C', 'D'])
    await world.app.send('DELETE', `/assistants/${second.data[1]?.assistant_id}`, { token: user.token })
    await world.app.send('DELETE', `/assistants/${last.assistant_id}`, { token: user.token })
    const third = await read(second.pagination?.next_cursor)
    expect([names(third), third.pagination?.next_cursor]).toEqual([['E'], null])
  })

  test('is good for its user, its list and its filters alone, and cannot be made', async () => {
    for (const name of ['A', 'B']) await world.make('POST', '/assistants', { name })
    const { pagination } = await pageOf(operation, {}, { cursor: '', per_page: 1 })
    const cursor = pagination?.next_cursor
    const send = (input: Input, caller: TestUser = world.owner, of = operation) =>
      callOn('rest')(world, of, {}, input, caller.token)
    expect((await send({ cursor })).status).toBe(200)
    expect(await send({ cursor }, world.viewer)).toEqual(refused)
    expect(await send({ cursor }, world.neighbour)).toEqual(refused)
    expect(await send({ cursor, search: 'A' })).toEqual(refused)
    expect(await send({ cursor, sort_order: 'desc' })).toEqual(refused)
    expect(await send({ cursor: 'eyJrZXlzIjpbXX0' })).toEqual(refused)
    const built = lists.find(({ name }) => name === 'assistantBuilder.list')
    expect(await send({ cursor }, world.owner, built)).toEqual(refused)
  })
})
