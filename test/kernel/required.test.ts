import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import description from '../../openapi.json'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'

const Operation = z.object({
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }),
  security: z.array(z.unknown()).optional(),
})

/** A schema of the description, also where it only refers to one. */
function schemaOf(schema: unknown): unknown {
  const { $ref } = z.object({ $ref: z.string().optional() }).parse(schema)
  if ($ref === undefined) return schema
  const schemas: Record<string, unknown> = description.components.schemas
  return schemas[$ref.split('/').at(-1) ?? '']
}

const Required = z.object({ required: z.array(z.string()).default([]) })

/** Every operation with a JSON body that some fields must be in, and those fields. */
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, raw]): [method: string, path: string, required: string[]][] => {
    const { data: operation } = Operation.safeParse(raw)
    // Who needs no token names what it calls by a key of its own.
    if (!operation || operation.security?.length === 0) return []
    const { required } = Required.parse(schemaOf(operation.requestBody.content['application/json'].schema))
    return required.length > 0 ? [[method.toUpperCase(), path, required]] : []
  }),
)

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await testApp()
  admin = await newUser(app.database, { role: 'admin' })
})

/** A path of the right form that need not lead anywhere: a body is refused before that is looked up. */
const isInteger = (path: string, name: string) =>
  name === 'user_id' || (name === 'id' && !path.startsWith('/squads') && !path.includes('/tools/'))
const filled = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => (isInteger(path, name) ? '1' : '00000000-0000-4000-8000-000000000000'))

test('there are operations whose bodies need fields', () => expect(operations.length).toBeGreaterThan(40))

test.each(operations)('%s %s: null is no value of a required field', async (method, path, required) => {
  const body = Object.fromEntries(required.map((name) => [name, null]))
  const answer = await app.send(method, filled(path), { token: admin.token, body })
  expect(answer.status).toBe(422)
  const { errors } = z.object({ errors: z.record(z.string(), z.array(z.string())) }).parse(await answer.json())
  const expected = Object.fromEntries(
    required.map((name) => [name, [expect.stringMatching(/^(The \w+ field|Assistant name) is required\.$/)]]),
  )
  expect(errors).toMatchObject(expected)
})
