import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { del, get, post, put } from '../src/api/meta.ts'
import { openApiDocument } from '../src/api/openapi/document.ts'
import { openApiText } from '../src/api/openapi/text.ts'
import { Done, dataOf, integerId, perPage, text, uuidId } from '../src/api/schemas.ts'
import { operatorProcedure, publicProcedure, router, workspaceProcedure } from '../src/api/trpc.ts'

const Shelf = z.object({ id: z.int(), label: z.string().nullable(), tags: z.array(z.string()) }).meta({ id: 'Shelf' })
const answer = dataOf(Shelf)
const notNeeded = () => {
  throw new Error('This router is only described')
}
const path = { room: uuidId, shelf: integerId }
const ids = { room: 'workspace_not_found', shelf: 'catalogue_entry_not_found' } as const

/** One procedure for each thing that the library alone refuses or describes wrongly. */
const shelves = router({
  list: workspaceProcedure
    .meta(get('/rooms/{room}/shelves', 'List shelves', { tag: 'Shelves', ids: { room: 'workspace_not_found' } }))
    .input(
      z.object({
        room: uuidId,
        include: z.array(integerId).max(10).optional().meta({ description: 'Ids to include.' }),
        kind: z.union([z.int(), z.enum(['wood', 'steel'])]).optional(),
        per_page: perPage(15),
        after: text(20).nullable().optional().meta({ description: 'Comes after.' }),
      }),
    )
    .output(answer)
    .query(notNeeded),
  get: workspaceProcedure
    .meta(get('/rooms/{room}/shelves/{shelf}', 'Get a shelf', { tag: 'Shelves', ids, document: 'voice' }))
    .input(z.object(path))
    .output(answer)
    .query(notNeeded),
  create: workspaceProcedure
    .meta(
      post('/rooms/{room}/shelves', 'Put up a shelf', {
        tag: 'Shelves',
        status: 201,
        multipart: true,
        extension: true,
        feature: 'squads',
        document: 'voice',
        errors: ['catalogue_entry_in_use'],
        example: { request: { label: 'Top' }, response: { data: { label: 'Top' } } },
      }),
    )
    .input(z.object({ room: uuidId, label: text(40).optional(), picture: z.file().max(1000).optional() }))
    .output(answer)
    .mutation(notNeeded),
  hang: workspaceProcedure
    .meta(post('/pictures', 'Hang a picture', { tag: 'Shelves', multipart: true }))
    .input(z.object({ picture: z.file() }))
    .output(Done)
    .mutation(notNeeded),
  update: operatorProcedure
    .meta(put('/rooms/{room}/shelves/{shelf}', 'Move a shelf', { tag: 'Shelves', ids, also: ['PATCH'] }))
    .input(
      z
        .object({
          ...path,
          place: z
            .enum(['top', 'bottom'])
            .transform((place) => place.length)
            .default(3),
          note: text(9).optional(),
        })
        .refine(({ note }) => note !== 'no'),
    )
    .output(answer)
    .mutation(notNeeded),
  delete: workspaceProcedure
    .meta(del('/rooms/{room}/shelves/{shelf}', 'Take a shelf down', { tag: 'Shelves', ids, document: 'completions' }))
    .input(z.object(path))
    .output(Done)
    .mutation(notNeeded),
  ring: publicProcedure
    .meta(post('/bell', 'Ring the bell', { tag: 'Bell' }))
    .output(Done)
    .mutation(notNeeded),
  look: publicProcedure
    .meta(get('/bell', 'Look at the bell', { tag: 'Bell' }))
    .output(Done)
    .query(notNeeded),
  rpcOnly: workspaceProcedure.query(() => null),
})

const document = openApiDocument(router({ shelves }), 'https://api.example.org')
const shelf = document.paths['/rooms/{room}/shelves/{shelf}']
const list = document.paths['/rooms/{room}/shelves']

test('redocly finds nothing to say', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: openApiText(document), absoluteRef: 'openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

test('lists, unions, defaults and nullable texts in a query are described as they are sent', () => {
  expect(list?.get?.parameters).toEqual([
    { in: 'path', name: 'room', required: true, schema: { type: 'string', format: 'uuid' } },
    {
      in: 'query',
      name: 'include',
      description: 'Ids to include.',
      schema: { type: 'array', maxItems: 10, items: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
    },
    {
      in: 'query',
      name: 'kind',
      schema: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['wood', 'steel'] }] },
    },
    {
      in: 'query',
      name: 'per_page',
      description: 'Entries on a page, clamped to 1..100. Default 15.',
      schema: { type: 'integer', default: 15 },
    },
    { in: 'query', name: 'after', description: 'Comes after.', schema: { type: 'string', maxLength: 20 } },
  ])
})

test('two path parameters, and what each of them answers when it is malformed', () => {
  expect(shelf?.get?.parameters?.map((entry) => ('name' in entry ? entry.name : ''))).toEqual(['room', 'shelf'])
  expect(Object.keys(shelf?.get?.responses ?? {})).toEqual(['200', '304', '401', '403', '404', '429', '500', '503'])
  expect(document.components.responses.WorkspaceNotFoundOrCatalogueEntryNotFound).toMatchObject({
    content: {
      'application/json': {
        examples: {
          workspace_not_found: { value: { success: false, message: 'Workspace not found' } },
          catalogue_entry_not_found: { value: { success: false, message: 'Catalogue entry not found' } },
        },
      },
    },
  })
})

describe('a create with a file', () => {
  const create = list?.post

  test('answers 201 and marks an extension', () => {
    expect(create).toMatchObject({ 'x-extension': true, 'x-trpc-procedure': 'shelves.create' })
    expect(create?.responses['201']).toHaveProperty(['headers', 'Idempotency-Replayed'])
    expect(create?.responses).not.toHaveProperty('200')
    expect(create?.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
  })

  test('has the file in the form, and not in JSON', () => {
    expect(create?.requestBody?.content).toEqual({
      'multipart/form-data': {
        schema: { $ref: '#/components/schemas/ShelvesCreateBodyForm' },
        example: { label: 'Top' },
      },
      'application/json': { schema: { $ref: '#/components/schemas/ShelvesCreateBody' }, example: { label: 'Top' } },
    })
    const { ShelvesCreateBodyForm, ShelvesCreateBody } = document.components.schemas
    expect(ShelvesCreateBodyForm?.properties?.picture).toMatchObject({ type: 'string', format: 'binary' })
    expect(ShelvesCreateBody).toMatchObject({ properties: { label: { type: 'string', maxLength: 40 } } })
    expect(ShelvesCreateBody?.properties).not.toHaveProperty('picture')
  })

  test('lays the written example of the answer over the made one', () => {
    expect(create?.responses['201']).toHaveProperty(['content', 'application/json', 'example'], {
      success: true,
      data: { id: 1, label: 'Top', tags: ['Tag'] },
    })
  })

  test('documents the errors of its gates, body, key and own list', () => {
    const names = Object.entries(create?.responses ?? {}).map(([status, response]) => {
      const name = '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : ''
      const whole = '$ref' in response ? document.components.responses[name] : response
      return [status, Object.keys(whole?.content?.['application/json']?.examples ?? {})]
    })
    expect(Object.fromEntries(names)).toMatchObject({
      400: ['malformed_body', 'malformed_form'],
      403: ['feature_disabled', 'scope_missing', 'permission_denied'],
      409: ['idempotency_key_running', 'catalogue_entry_in_use'],
      415: ['unsupported_media_type'],
      422: ['validation_failed', 'idempotency_key_invalid', 'idempotency_key_reused'],
    })
    expect(create?.description).toBe(
      'Needs the feature `squads` and the workspace role `owner` or `editor`. A token with scopes needs `squads:write`.',
    )
  })
})

test('a body that needs a file is a form only', () => {
  expect(document.paths['/pictures']?.post?.requestBody).toEqual({
    required: true,
    content: {
      'multipart/form-data': {
        schema: { $ref: '#/components/schemas/ShelvesHangBodyForm' },
        example: { picture: '(file)' },
      },
    },
  })
})

test('an alias is an operation of its own, with the same content', () => {
  const { operationId, ...rest } = shelf?.put ?? {}
  expect(shelf?.patch).toEqual({ ...rest, operationId: 'shelves-update-patch' })
  expect(operationId).toBe('shelves-update')
  expect(document.components.schemas).not.toHaveProperty('ShelvesUpdateBody2')
})

test('a request is described before its schema changes it', () => {
  const { place } = document.components.schemas.ShelvesUpdateBody?.properties ?? {}
  expect(place).toMatchObject({ type: 'string', enum: ['top', 'bottom'] })
  expect(shelf?.put?.requestBody).not.toHaveProperty('required')
})

test('errors have the form of the document that the operation belongs to', () => {
  const value = (response: unknown) => JSON.stringify(response)
  const { OperatorOnlyOrScopeMissing } = document.components.responses
  expect(shelf?.put?.responses['403']).toEqual({ $ref: '#/components/responses/OperatorOnlyOrScopeMissing' })
  expect(value(shelf?.delete?.responses['401'])).toContain(
    '"value":{"message":"Unauthenticated.","error":{"message":"Unauthenticated.","type":"invalid_request_error","code":401}}',
  )
  expect(value(OperatorOnlyOrScopeMissing)).toContain(
    '"value":{"success":false,"message":"Only an operator may do this."}',
  )
})

test('a public operation asks for no token, and has the errors of a public operation', () => {
  const bell = document.paths['/bell']?.post
  expect(bell).toMatchObject({ security: [], parameters: [] })
  expect(Object.keys(bell?.responses ?? {})).toEqual(['200', '400', '408', '413', '415', '500', '503'])
  expect(Object.keys(document.paths['/bell']?.get?.responses ?? {})).toEqual(['200', '304', '431', '500', '503'])
})

test('a procedure without a path is not described', () => {
  expect(openApiText(document)).not.toContain('rpcOnly')
})
