import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import type { AppRouter } from '../../src/router.ts'
import type { Caller } from '../admin/caller.ts'
import { createRig, fillLayers, type Layers, type Rig } from './rig.ts'

let rig: Rig
let layers: Layers
let user: Caller
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
})
beforeEach(async () => {
  rig.app.platform.faults.clear()
  user = await rig.caller()
})

const create = async (body: object = {}) => {
  const made = await user.send('POST', '/v2/assistants', { name: 'Desk', base_config_id: layers.base, ...body })
  return made.body.data
}
const notFound = { status: 404, body: { success: false, message: 'Assistant not found' } }

test('form-options list every layer by name, with what a form needs of it', async () => {
  const answer = await user.send('GET', '/v2/assistants/form-options')
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  const { data } = answer.body
  expect(Object.keys(data)).toEqual(['base_configs', 'industry_templates', 'layer2_presets', 'personalities'])
  expect(data.base_configs).toContainEqual({ id: layers.base, name: 'Studio' })
  expect(data.industry_templates).toContainEqual({
    id: layers.industry,
    name: 'Dental',
    base_config_id: layers.base,
    custom_fields: [
      { key: 'city', label: 'City' },
      { key: 'parking', label: 'Parking' },
      { key: 'license', label: 'Licence' },
    ],
  })
  expect(data.layer2_presets).toContainEqual({ id: layers.preset, key: layers.key, name: 'Calm' })
  expect(data.personalities).toContainEqual({ id: layers.personality, name: 'Onyx' })
})

describe('GET /v2/assistants', () => {
  test('pages through all assistants, each with how it was built', async () => {
    await create({ name: 'B', type: 'production', layer2_key: layers.key })
    await create({ name: 'A', base_config_id: layers.other })
    await user.send('POST', '/assistants', { name: 'C' })
    const { body, status } = await user.send('GET', '/v2/assistants?per_page=2')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      data: [
        {
          name: 'A',
          build_context: { base_config_id: layers.other, layer2_key: null },
          base_config_name: 'Plain',
          coreData: { name: 'A' },
        },
        {
          name: 'B',
          build_context: { base_config_id: layers.base, layer2_key: layers.key },
          base_config_name: 'Studio',
        },
      ],
      pagination: { current_page: 1, last_page: 2, per_page: 2, total: 3, from: 1, to: 2 },
    })
    const second = await user.send('GET', '/v2/assistants?per_page=2&page=2')
    expect(second.body.data).toMatchObject([
      { name: 'C', build_context: { base_config_id: null, layer2_key: null }, base_config_name: null },
    ])
  })

  const filters: [query: string, names: string[], total: number][] = [
    ['', ['Ann', 'Bob', 'Cid'], 3],
    ['?type=production', ['Bob'], 1],
    ['?type=demo', ['Ann', 'Cid'], 2],
    ['?type=', ['Ann', 'Bob', 'Cid'], 3],
    ['?type=demo&per_page=1&page=2', ['Cid'], 2],
    ['?search=b', ['Bob'], 1],
    ['?sort_order=desc', ['Cid', 'Bob', 'Ann'], 3],
  ]
  test('filters by type and as the regular list does', async () => {
    await create({ name: 'Ann' })
    await create({ name: 'Bob', type: 'production' })
    await create({ name: 'Cid' })
    for (const [query, names, total] of filters) {
      const { body } = await user.send('GET', `/v2/assistants${query}`)
      const rows = body.data as unknown as { name: string }[]
      expect([query, rows.map(({ name }) => name), body.pagination]).toMatchObject([query, names, { total }])
    }
    const wrong = await user.send('GET', '/v2/assistants?type=live')
    expect(wrong).toMatchObject({ status: 422, body: { success: false, errors: { type: expect.any(Array) } } })
  })
})

describe('GET /v2/assistants/{assistantId}', () => {
  test('shows what the platform says now', async () => {
    const made = await create()
    await rig.app.services.platform.assistants.update(String(made.voice_assistant_id), {
      firstMessage: 'Changed there',
    })
    const { status, body } = await user.send('GET', `/v2/assistants/${made.assistant_id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        ...made,
        first_message: 'Changed there',
        coreData: expect.objectContaining({ firstMessage: 'Changed there' }),
      },
    })
  })

  test('an assistant of the regular editor has no build', async () => {
    const { data } = (await user.send('POST', '/assistants', { name: 'Plain' })).body
    const read = await user.send('GET', `/v2/assistants/${data.assistant_id}`)
    expect(read.body.data).toEqual({
      ...data,
      build_context: { base_config_id: null, layer2_key: null },
      base_config_name: null,
    })
  })

  test.each([
    [503, 9],
    [404, 1],
  ])('a platform that answers %i is 502', async (status, times) => {
    const made = await create()
    rig.app.platform.faults.add({ method: 'GET', path: /assistant/, times, mode: 'status', status, body: {} })
    expect(await user.send('GET', `/v2/assistants/${made.assistant_id}`)).toEqual({
      status: 502,
      body: { success: false, message: 'Failed to load assistant from Cloud' },
    })
  })
})

test('GET shows what it can of a live assistant with values of other types', async () => {
  const made = await create()
  const odd = {
    id: made.voice_assistant_id,
    name: 5,
    voice: { voiceId: null, speed: '1' },
    transcriber: { language: 1 },
  }
  rig.app.platform.faults.add({ method: 'GET', path: /assistant/, mode: 'status', status: 200, body: odd })
  const read = await user.send('GET', `/v2/assistants/${made.assistant_id}`)
  expect(read.status).toBe(200)
  expect(read.body.data.coreData).toMatchObject({ name: 'Desk', voice: {}, transcriber: {} })
})

test('DELETE removes both sides', async () => {
  const made = await create()
  const path = `/v2/assistants/${made.assistant_id}`
  rig.app.platform.faults.add({ method: 'DELETE', path: /assistant/, mode: 'status', status: 400, body: {} })
  expect(await user.send('DELETE', path)).toEqual({
    status: 500,
    body: { success: false, message: 'Failed to delete the assistant from the voice platform. Please try again.' },
  })
  expect(await user.send('DELETE', path)).toEqual({
    status: 200,
    body: { success: true, message: 'Assistant deleted' },
  })
  expect(await user.send('GET', path)).toEqual(notFound)
  expect(await user.send('DELETE', path)).toEqual(notFound)
  const gone = rig.app.services.platform.assistants.get(String(made.voice_assistant_id))
  await expect(gone).rejects.toMatchObject({ kind: 'not_found' })
})

test('ids that are none, and assistants of other accounts, are 404; no token is 401', async () => {
  const { assistant_id: id } = await create()
  const stranger = await rig.caller()
  for (const [method, body] of [['GET'], ['PUT', { name: 'B' }], ['DELETE']] as [string, object?][]) {
    expect(await user.send(method, '/v2/assistants/nothing', body)).toEqual(notFound)
    expect(await stranger.send(method, `/v2/assistants/${id}`, body)).toEqual(notFound)
    expect((await rig.app.send(method, `/v2/assistants/${id}`, { body })).status).toBe(401)
  }
  for (const path of ['/v2/assistants', '/v2/assistants/form-options']) {
    expect((await rig.app.send('GET', path)).status).toBe(401)
  }
})

test('a typed client builds an assistant from form-options and preview alone', async () => {
  const api = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: 'http://localhost/trpc',
        headers: { authorization: `Bearer ${user.token}` },
        async fetch(url, init) {
          const { method = 'GET', body, headers } = init ?? {}
          const { pathname, search } = new URL(String(url))
          return rig.app.send(method, pathname + search, {
            body: body ?? undefined,
            headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
          })
        },
      }),
    ],
  }).assistantBuilder
  const { data: options } = await api.formOptions.query()
  const industry = options.industry_templates.find(({ id }) => id === layers.industry)
  const asked = { name: 'Typed', industry_template_id: industry?.id, metadata: { company_name: 'Smile' } }
  const first = await api.preview.mutate(asked)
  expect(first.data.unresolved).toEqual(['city'])
  const filled = {
    ...asked,
    variable_values: Object.fromEntries(first.data.unresolved.map((name) => [name, 'Austin'])),
  }
  expect((await api.preview.mutate(filled)).data.unresolved).toEqual([])
  const { data } = await api.create.mutate(filled)
  expectTypeOf(data.build_context).toEqualTypeOf<{ base_config_id: number | null; layer2_key: string | null }>()
  const assistantId = data.assistant_id
  const updated = await api.update.mutate({ assistantId, layer2_key: layers.key })
  const { build_context: built, ...rest } = (await api.get.query({ assistantId })).data
  expect([built.layer2_key, rest]).toEqual([layers.key, updated.data])
  expect((await api.list.query({ type: 'demo' })).pagination.total).toBe(1)
  await expect(api.update.mutate({ assistantId, layer2_key: 'nothing' })).rejects.toMatchObject({
    data: { httpStatus: 422, body: { errors: { layer2_key: ['The selected layer2_key does not exist.'] } } },
  })
  expect(await api.delete.mutate({ assistantId })).toEqual({ success: true, message: 'Assistant deleted' })
})
