import { beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../src/api/openapi/document.ts'
import { fileExample } from '../src/api/openapi/examples.ts'
import { operationsOf } from '../src/api/operations.ts'
import { isObject } from '../src/json/object.ts'
import { restRouter } from '../src/router.ts'
import { paramsOf } from './matrix/request.ts'
import { createWorld, type World } from './matrix/world.ts'

/** What people try first. */
const first = [
  ...['assistants.list', 'assistants.create', 'assistants.get', 'assistants.update', 'assistants.updateAdvanced'],
  ...['assistants.delete', 'assistantVersions.list', 'embed.get', 'embed.update', 'embed.rotateKey', 'widget.chat'],
  ...['calls.list', 'calls.test', 'stats.get', 'deliveries.list', 'agents.list', 'agents.create', 'agents.get'],
  ...[
    'agents.update',
    'agents.delete',
    'agentFiles.list',
    'agentFiles.upload',
    'budgets.getOfAgent',
    'budgets.putOfAgent',
  ],
  ...[
    'chats.list',
    'chats.create',
    'chats.get',
    'chats.update',
    'messages.list',
    'messages.send',
    'completions.create',
  ],
  ...['models.list', 'phoneNumbers.list', 'phoneNumbers.available', 'phoneNumbers.buy', 'phoneNumbers.update'],
  ...['squads.list', 'squads.draft', 'profile.get', 'profile.update', 'tokens.list', 'tokens.create', 'overview.get'],
  ...['admin.users.create', 'admin.users.list'],
]

const operations = new Map(operationsOf(restRouter).map((operation) => [operation.name, operation]))
const { paths } = openApiDocument(restRouter, '/')

let world: World
beforeAll(async () => {
  world = await createWorld()
})

/** Ids and numbers in examples stand for the reader's own. */
async function withOwn(example: unknown): Promise<unknown> {
  const text = JSON.stringify(example)
  const { assistant_id: assistant } = await world.make('POST', '/assistants', { name: 'Member' })
  const [offer] = (await world.make('GET', '/phone-numbers/available')) as unknown as { phone_number: string }[]
  return JSON.parse(
    text
      .replaceAll('3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d', String(assistant))
      .replaceAll('+14155550123', offer?.phone_number ?? '')
      .replaceAll('ada@example.com', `${crypto.randomUUID()}@example.com`),
  )
}

function formOf(fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value === fileExample ? new File(['We open at nine.'], 'hours.txt') : String(value))
  }
  return form
}

test('these are forty at least, and all are there', () => {
  expect(new Set(first).size).toBeGreaterThanOrEqual(40)
  expect(first.filter((name) => !operations.has(name))).toEqual([])
})

test.each(first)('the example of %s is taken', async (name) => {
  const operation = operations.get(name)
  if (!operation) throw new Error(`There is no ${name}`)
  const { method } = operation.meta.openapi
  const described = Object.entries(paths[operation.path] ?? {}).find(([key]) => key === method.toLowerCase())?.[1]
  const content: unknown = described?.requestBody?.content
  const [[type, media] = []] = isObject(content) ? Object.entries(content) : []
  const example = isObject(media) ? media.example : undefined
  const body = example === undefined ? undefined : await withOwn(example)
  const params = await paramsOf(world, operation)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const who = operation.meta.access === 'operator' ? world.operator : world.owner
  const isForm = type === 'multipart/form-data' && isObject(body) && Object.values(body).includes(fileExample)
  const response = await world.app.send(method, path, {
    token: operation.meta.access === 'public' ? undefined : who.token,
    body: isForm ? formOf(body) : body,
  })
  expect(response.status, await response.text()).toBeLessThan(300)
})
