import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

const preview = (body: object, caller = user) => caller.send('POST', '/v2/assistants/preview', body)
const create = (body: object, caller = user) => caller.send('POST', '/v2/assistants', body)
const live = (id: unknown) => rig.app.services.platform.assistants.get(String(id))
const long = (length: number) => '😀'.repeat(length)
const noBase =
  'base_config_id is required, or provide prompt_template_id or industry_template_id whose template has a base config.'
const missing = 2_147_483_647

describe('what is refused, by preview and create alike', () => {
  const wrong = (): [body: object, errors: Record<string, string[]>][] => [
    [{ base_config_id: layers.base }, { name: ['Assistant name is required.'] }],
    [{ base_config_id: layers.base, name: ' ' }, { name: ['Assistant name is required.'] }],
    [{ base_config_id: layers.base, name: long(41) }, { name: ['Assistant name cannot exceed 40 characters.'] }],
    [{ name: 'A', base_config_id: '1' }, { base_config_id: ['The base_config_id field must be an integer.'] }],
    [{ name: 'A', base_config_id: missing }, { base_config_id: ['The selected base_config_id does not exist.'] }],
    ...(
      [
        [{ type: 'live' }, { type: ['Type must be either demo or production.'] }],
        [{ layer2_key: 'x'.repeat(65) }, { layer2_key: ['The layer2_key field must have at most 64 characters.'] }],
        [{ layer2_key: 'nothing' }, { layer2_key: ['The selected layer2_key does not exist.'] }],
        [{ prompt_template_id: missing }, { prompt_template_id: ['The selected prompt_template_id does not exist.'] }],
        [
          { industry_template_id: missing, personality_id: missing },
          {
            industry_template_id: ['The selected industry_template_id does not exist.'],
            personality_id: ['The selected personality_id does not exist.'],
          },
        ],
        [{ system_prompt: 5 }, { system_prompt: ['The system_prompt field must be a string.'] }],
        [{ server_url: 'nowhere' }, { server_url: ['The server_url field must be a valid URL.'] }],
        [{ metadata: [] }, { metadata: ['The metadata field must be an object.'] }],
        [
          { metadata: { company_name: 'x'.repeat(256) } },
          { 'metadata.company_name': ['The metadata.company_name field must have at most 255 characters.'] },
        ],
        [{ variable_values: 'x' }, { variable_values: ['The variable_values field must be an object.'] }],
      ] as [object, Record<string, string[]>][]
    ).map(([body, errors]): [object, Record<string, string[]>] => [
      { name: 'A', base_config_id: layers.base, ...body },
      errors,
    ]),
  ]

  test('every rule of the body', async () => {
    for (const [body, errors] of wrong()) {
      for (const answer of [await preview(body), await create(body)]) {
        expect(answer, JSON.stringify(body)).toMatchObject({ status: 422, body: { success: false } })
        expect(answer.body.errors, JSON.stringify(body)).toEqual(errors)
        expect(answer.body.message).toMatch(Object.values(errors)[0]?.[0]?.slice(0, 20) ?? '')
      }
    }
  })

  test.each([
    ['first_message', 'firstMessage'],
    ['firstMessage', 'firstMessage'],
    ['end_call_message', 'endCallMessage'],
    ['endCallMessage', 'endCallMessage'],
  ])(
    'a %s that is too long: a fault of the body, and in a preview of the merged configuration',
    async (field, merged) => {
      const body = { name: 'A', base_config_id: layers.base, [field]: long(1001) }
      const text = (name: string) => `The ${name} field must have at most 1000 characters.`
      expect(await create(body)).toEqual({
        status: 422,
        body: { success: false, message: text(field), errors: { [field]: [text(field)] } },
      })
      expect(await preview(body)).toEqual({
        status: 422,
        body: { success: false, message: 'Configuration validation failed', errors: { [merged]: [text(merged)] } },
      })
    },
  )

  test.each([
    [{ name: 'A' }, { base_config_id: [noBase] }],
    [{ name: 'A', base_config_id: null }, { base_config_id: [noBase] }],
    [{}, { name: ['Assistant name is required.'], base_config_id: [noBase] }],
  ])('what leads to no base config at all: a fault of the field where one is created %#', async (body, errors) => {
    const [message] = Object.values(errors).flat()
    expect(await create(body)).toEqual({
      status: 422,
      body: { success: false, message: expect.stringContaining(message ?? ''), errors },
    })
  })

  test.each([{ name: 'A' }, { name: 'A', base_config_id: null }])(
    'and the documented refusal of a preview: %j',
    async (body) => {
      expect(await preview(body)).toEqual({ status: 422, body: { success: false, message: noBase } })
    },
  )

  test('a template without a base config, and nothing else that leads to one', async () => {
    for (const answer of [
      await preview({ name: 'A', prompt_template_id: layers.bare }),
      await create({ name: 'A', prompt_template_id: layers.bare }),
    ]) {
      expect(answer).toEqual({ status: 422, body: { success: false, message: noBase } })
    }
  })

  test('null is like nothing for all that is optional', async () => {
    const names = ['type', 'layer2_key', 'prompt_template_id', 'industry_template_id', 'system_prompt', 'server_url']
    const more = ['first_message', 'firstMessage', 'end_call_message', 'endCallMessage', 'personality_id', 'metadata']
    const nulls = Object.fromEntries([...names, ...more, 'variable_values'].map((name) => [name, null]))
    const made = await create({ ...nulls, name: 'A', base_config_id: layers.base })
    expect(made).toMatchObject({ status: 201, body: { data: { type: 'demo', first_message: 'Base hello' } } })
  })
})

describe('POST /v2/assistants/preview', () => {
  test('merges, says which layer set what, and what has no value', async () => {
    const answer = await preview({
      name: 'Desk',
      industry_template_id: layers.industry,
      layer2_key: layers.key,
      personality_id: layers.personality,
      prompt_template_id: layers.template,
      end_call_message: 'Bye {{who}}',
      metadata: { company_name: 'Smile' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      message: 'Config is valid. You can create the assistant.',
      data: {
        config: {
          model: {
            provider: 'openai',
            model: 'gpt-4.1',
            maxTokens: 300,
            messages: [{ role: 'system', content: 'Greet in {{city}}.' }],
          },
          voice: { provider: 'openai', voiceId: 'onyx', speed: 1 },
          transcriber: { provider: 'deepgram', model: 'nova-3', language: 'en' },
          firstMessage: 'Template hi {{city}}',
          endCallMessage: 'Bye {{who}}',
          maxDurationSeconds: 120,
        },
        provenance: {
          'model.provider': 'base_config',
          'model.model': 'base_config',
          'model.maxTokens': 'base_config',
          'model.messages': 'prompt_template',
          'voice.provider': 'personality',
          'voice.voiceId': 'personality',
          'voice.speed': 'layer2_preset',
          'transcriber.provider': 'base_config',
          'transcriber.model': 'base_config',
          'transcriber.language': 'base_config',
          firstMessage: 'prompt_template',
          endCallMessage: 'request',
          maxDurationSeconds: 'layer2_preset',
        },
        unresolved: ['city', 'who'],
        rendered: {
          first_message: 'Template hi {{city}}',
          end_call_message: 'Bye {{who}}',
          messages: [{ role: 'system', content: 'Greet in {{city}}.\n\nBe warm, Desk.' }],
        },
      },
    })
  })

  test('what the platform fills on each call is not unresolved', async () => {
    const { body } = await preview({
      name: 'Desk',
      base_config_id: layers.base,
      end_call_message: 'It is {{date}}, {{time}}. {{who}}',
    })
    expect(body.data).toMatchObject({
      unresolved: ['who'],
      rendered: { end_call_message: 'It is {{date}}, {{time}}. {{who}}' },
    })
  })

  test('answers of custom fields are values, from variables and from metadata', async () => {
    const { body } = await preview({
      name: 'Desk',
      industry_template_id: layers.industry,
      variable_values: { city: 'Austin', license: 7 },
      metadata: { company_name: 'Smile' },
    })
    expect(body.data).toMatchObject({
      unresolved: [],
      rendered: { messages: [{ role: 'system', content: 'Book for Smile in Austin.' }] },
    })
  })

  const invalid: [name: string, table: 'base_configs', config: object, errors: Record<string, string[]>][] = [
    [
      "the write body's rules",
      'base_configs',
      { voice: { speed: 9 }, maxDurationSeconds: 5 },
      {
        'voice.speed': ['The voice.speed field must be at most 4.'],
        maxDurationSeconds: ['The maxDurationSeconds field must be at least 10.'],
      },
    ],
    [
      "the platform's own rules",
      'base_configs',
      {
        voice: { provider: '11labs', voiceId: 'sarah', stability: 3, emotion: 'sad' },
        model: { provider: 'nobody', model: 'x' },
        transcriber: { provider: 'deepgram', endpointing: 1 },
      },
      {
        'voice.stability': ['The voice.stability field must be at most 1.'],
        'voice.emotion': ['The voice.emotion field is not one of those that the voice platform takes here.'],
        'model.provider': ['The model.provider field is not one that the voice platform supports.'],
        'transcriber.endpointing': ['The transcriber.endpointing field must be at least 10.'],
      },
    ],
  ]
  test.each(invalid)(
    'a merged configuration that breaks %s is refused by path',
    async (_name, table, config, errors) => {
      const id = await rig.entry('base-configs', { name: 'Broken', config: {} })
      const text = JSON.stringify(config)
      await rig.app.database.db.execute(
        sql`update ${sql.identifier(table)} set config = ${text}::jsonb where id = ${id}`,
      )
      const sent = rig.app.platform.requests.length
      for (const build of [preview, create]) {
        expect(await build({ name: 'A', base_config_id: id })).toEqual({
          status: 422,
          body: { success: false, message: 'Configuration validation failed', errors },
        })
      }
      expect(rig.app.platform.requests).toHaveLength(sent)
    },
  )

  test('creates nothing anywhere, asks the platform nothing, and is a read', async () => {
    const counted = async () => (await user.send('GET', '/v2/assistants')).body.pagination
    const before = rig.app.platform.requests.length
    const viewer = await rig.caller({ workspaceRole: 'viewer', workspaceId: user.workspaceId, assistantQuota: 0 })
    expect((await preview({ name: 'A', base_config_id: layers.base }, viewer)).status).toBe(200)
    expect(await counted()).toMatchObject({ total: 0 })
    expect(rig.app.platform.requests).toHaveLength(before)
  })
})

describe('POST /v2/assistants', () => {
  test('builds an assistant whose remote object has the rendered texts', async () => {
    const made = await create({
      name: 'Desk',
      type: 'production',
      base_config_id: layers.base,
      industry_template_id: layers.industry,
      layer2_key: layers.key,
      personality_id: layers.personality,
      firstMessage: 'Hi from {{city}}',
      server_url: 'https://example.com/hook',
      metadata: { company_name: 'Smile' },
      variable_values: { city: 'Austin' },
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        success: true,
        message: 'Assistant created successfully',
        data: {
          name: 'Desk',
          type: 'production',
          user_id: user.userId,
          base_config_id: layers.base,
          template_id: null,
          personality_id: layers.personality,
          webhook_url: 'https://example.com/hook',
          first_message: 'Hi from Austin',
          first_message_raw: 'Hi from {{city}}',
          end_call_message: 'Preset bye',
          max_duration_seconds: 120,
          voice: { voiceId: 'onyx', speed: 1 },
          model: { messages: [{ role: 'system', content: 'Book for Smile in Austin.\n\nBe warm, Desk.' }] },
          metadata: { company_name: 'Smile', variable_values: { city: 'Austin' }, personality: 'Onyx' },
          build_context: { base_config_id: layers.base, layer2_key: layers.key },
          base_config_name: 'Studio',
        },
      },
    })
    const { data } = made.body
    expect(await live(data.voice_assistant_id)).toMatchObject({
      name: 'Desk',
      firstMessage: 'Hi from Austin',
      maxDurationSeconds: 120,
      voice: { provider: 'openai', voiceId: 'onyx', speed: 1 },
      model: {
        provider: 'openai',
        messages: [{ role: 'system', content: 'Book for Smile in Austin.\n\nBe warm, Desk.' }],
      },
      server: { url: 'https://example.com/hook' },
    })
    const read = await user.send('GET', `/v2/assistants/${data.assistant_id}`)
    expect(read.body.data).toEqual(data)
    const history = await user.send('GET', `/assistants/${data.assistant_id}/update-log`)
    expect(history.body.data).toMatchObject([{ action: 'created', source: 'v2' }])
  })

  const prompts = (): [body: object, prompt: string][] => [
    [{ industry_template_id: layers.industry }, 'Book for {{company_name}} in Austin.'],
    [{ industry_template_id: layers.industry, prompt_template_id: layers.bare }, 'Plain Austin.'],
    [{ prompt_template_id: layers.template, personality_id: layers.personality }, 'Greet in Austin.\n\nBe warm, A.'],
    [
      { base_config_id: layers.base, prompt_template_id: layers.template, system_prompt: 'Mine: {{city}}' },
      'Mine: Austin',
    ],
    [{ industry_template_id: layers.industry, system_prompt: 'Mine' }, 'Mine'],
  ]
  test('the prompt of the highest layer wins, in preview, live and after a regular save alike', async () => {
    for (const [body, content] of prompts()) {
      const whole = { name: 'A', variable_values: { city: 'Austin' }, ...body }
      const messages = [{ role: 'system', content }]
      const previewed = await preview(whole)
      expect(previewed.body.data).toMatchObject({ rendered: { messages } })
      const { data } = (await create(whole)).body
      expect((await live(data.voice_assistant_id)).model?.messages).toEqual(messages)
      const saved = await user.send('PUT', `/assistants/${data.assistant_id}`, { name: 'A' })
      expect(saved.body.data.model).toMatchObject({ messages })
      expect((await live(data.voice_assistant_id)).model?.messages).toEqual(messages)
    }
  })

  test('a base config comes from the prompt template before the industry template', async () => {
    const industry = await rig.entry('industry-templates', { name: 'I', base_config_id: layers.other, prompt: 'I' })
    const both = { name: 'A', industry_template_id: industry, prompt_template_id: layers.template }
    expect((await create(both)).body.data.base_config_id).toBe(layers.base)
    expect((await create({ ...both, prompt_template_id: layers.bare })).body.data.base_config_id).toBe(layers.other)
    expect((await create({ ...both, base_config_id: layers.other })).body.data.base_config_id).toBe(layers.other)
  })

  test('the snake-case name of a text wins over its alias', async () => {
    const body = { first_message: 'S', firstMessage: 'C', end_call_message: 's', endCallMessage: 'c' }
    const { data } = (await create({ name: 'A', base_config_id: layers.base, ...body })).body
    expect(data).toMatchObject({ first_message: 'S', end_call_message: 's' })
  })

  test('tools of a layer are attached by their ids', async () => {
    const tool = { label: 'End', description: 'Hangs up', type: 'endCall', scope: 'global' }
    const { id } = (await rig.admin.send('POST', '/admin/tools', tool)).body.data
    const base = await rig.entry('base-configs', { name: 'Tools', config: { model: { tools: [String(id)] } } })
    const previewed = await preview({ name: 'A', base_config_id: base })
    expect(previewed.body.data).toMatchObject({
      config: { model: { toolIds: [id] } },
      provenance: { 'model.toolIds': 'base_config' },
    })
    const { data } = (await create({ name: 'A', base_config_id: base })).body
    expect((await live(data.voice_assistant_id)).model?.toolIds).toEqual([id])
  })

  test('a viewer, a reached quota and an account without the feature are 403', async () => {
    const body = { name: 'A', base_config_id: layers.base }
    const viewer = await rig.caller({ workspaceRole: 'viewer' })
    expect(await create(body, viewer)).toMatchObject({ status: 403, body: { success: false } })
    const full = await rig.caller({ assistantQuota: 1 })
    expect((await create(body, full)).status).toBe(201)
    expect(await create(body, full)).toEqual({
      status: 403,
      body: { success: false, message: 'The assistant quota of 1 assistant is reached.' },
    })
    const without = await rig.caller({ features: ['squads'] })
    for (const answer of [await create(body, without), await preview(body, without)]) {
      expect(answer).toMatchObject({ status: 403, body: { success: false, feature: 'assistants' } })
    }
  })

  test('a failed live write is 500 and leaves nothing', async () => {
    rig.app.platform.faults.add({ method: 'POST', path: /assistant/, mode: 'status', status: 400, body: {} })
    expect(await create({ name: 'A', base_config_id: layers.base })).toEqual({
      status: 500,
      body: { success: false, message: 'Failed to create assistant in Cloud. Please try again.' },
    })
    expect((await user.get('/assistants')).body.data).toEqual([])
  })

  test('one Idempotency-Key makes one assistant', async () => {
    const body = { name: 'Once', base_config_id: layers.base }
    const options = { token: user.token, body, headers: { 'idempotency-key': crypto.randomUUID() } }
    const first = await (await rig.app.send('POST', '/v2/assistants', options)).json()
    const again = await (await rig.app.send('POST', '/v2/assistants', options)).json()
    expect(again).toEqual(first)
    expect((await user.send('GET', '/v2/assistants')).body.pagination).toMatchObject({ total: 1 })
  })
})
