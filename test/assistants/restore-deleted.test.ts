import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let app: TestApp
let admin: Caller
let client: Client

beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})
beforeEach(async () => {
  client = await newClient(app)
})

const make = async (kind: string, body: object) => (await admin.send('POST', `/admin/${kind}`, body)).body.data.id
const remove = async (kind: string, id: number) =>
  expect((await admin.send('DELETE', `/admin/${kind}/${id}`)).status).toBe(200)
const oldest = async (id: string) => (await client.data('GET', `/assistants/${id}/update-log`)).at(-1).id

/** What callers hear and read, on both sides. */
async function texts(id: string) {
  const data = await client.data('GET', `/assistants/${id}`)
  const live = await app.services.platform.assistants.get(data.voice_assistant_id)
  return {
    greeting: [data.first_message, live.firstMessage],
    raw: [data.first_message_raw, data.end_call_message_raw],
    farewell: [data.end_call_message, live.endCallMessage],
    messages: [data.model.messages, live.model?.messages],
  }
}

describe('a version whose entries were deleted since', () => {
  const template = {
    name: 'Greeter',
    prompt: 'You answer for {{company_name}}.',
    first_message: 'Welcome to {{company_name}}!',
    end_call_message: 'Bye from {{company_name}}',
  }

  test('is restored exactly, and stays so through later saves', async () => {
    const base = await make('base-configs', {
      name: 'Warm',
      config: { model: { provider: 'openai', model: 'gpt-4o', temperature: 0.3 } },
    })
    const templateId = await make('prompt-templates', { ...template, base_config_id: base })
    const personality = await make('personalities', {
      name: 'Sarah',
      voice: {},
      prompt: 'Be kind to {{company_name}}.',
    })
    const body = { name: 'Desk', template_id: templateId, metadata: { company_name: 'Acme' } }
    const data = await client.data('POST', '/assistants', body)
    const id: string = data.assistant_id
    await client.send('PUT', `/assistants/${id}/advanced`, { name: 'Desk', personality_id: personality })
    const version = (await client.data('GET', `/assistants/${id}/update-log`))[0].id
    const before = await texts(id)
    expect(before.messages[0]).toEqual([{ role: 'system', content: 'You answer for Acme.\n\nBe kind to Acme.' }])
    expect(before.raw).toEqual([template.first_message, template.end_call_message])

    await client.send('PUT', `/assistants/${id}/advanced`, { name: 'Desk', personality_id: null, template_id: null })
    expect((await texts(id)).messages[0]).toEqual([])
    await remove('prompt-templates', templateId)
    await remove('personalities', personality)
    await remove('base-configs', base)

    const restored = await client.send('POST', `/assistants/${id}/update-log/${version}/restore`)
    expect(restored).toMatchObject({ status: 200, body: { data: { template_id: null, personality_id: null } } })
    expect(await texts(id)).toEqual(before)

    expect((await client.send('PUT', `/assistants/${id}`, { name: 'Desk' })).status).toBe(200)
    expect(await texts(id)).toEqual(before)
    const { voice_assistant_id: liveId } = await client.data('GET', `/assistants/${id}`)
    expect((await app.services.platform.assistants.get(liveId)).model).toMatchObject({
      model: 'gpt-4o',
      temperature: 0.3,
    })

    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', metadata: { company_name: 'Bolt' } })
    const { greeting, messages } = await texts(id)
    expect(greeting).toEqual(['Welcome to Bolt!', 'Welcome to Bolt!'])
    expect(messages[1]).toEqual([{ role: 'system', content: 'You answer for Bolt.\n\nBe kind to Bolt.' }])
    const current = (await client.data('GET', `/assistants/${id}/update-log`))[1].id
    expect((await client.send('POST', `/assistants/${id}/update-log/${current}/restore`)).status).toBe(200)
    expect(await texts(id)).toEqual(before)
  })

  /** An assistant that is rendered from the copy of a template that was deleted. */
  async function restored(more: object = {}): Promise<string> {
    const templateId = await make('prompt-templates', { ...template, ...more })
    const body = { name: 'Desk', template_id: templateId, metadata: { company_name: 'Acme' } }
    const { assistant_id: id } = await client.data('POST', '/assistants', body)
    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', template_id: null })
    await remove('prompt-templates', templateId)
    await client.send('POST', `/assistants/${id}/update-log/${await oldest(id)}/restore`)
    return id
  }
  const system = (content: string) => [{ role: 'system', content }]

  test('gives up what was kept when the editor chooses anew', async () => {
    const id = await restored()
    const other = await make('prompt-templates', { name: 'Other', prompt: 'You sell.' })
    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', template_id: other })
    const messages = system('You sell.')
    expect(await texts(id)).toMatchObject({ greeting: ['', ''], raw: ['', ''], messages: [messages, messages] })
  })

  test.each(['', '/advanced'])(
    'keeps its prompt when the template that it does not have is null again (PUT%s)',
    async (at) => {
      const id = await restored()
      const before = await texts(id)
      expect(before.messages[0]).toEqual(system('You answer for Acme.'))
      expect((await client.send('PUT', `/assistants/${id}${at}`, { name: 'Desk', template_id: null })).status).toBe(200)
      expect(await texts(id)).toEqual(before)
    },
  )

  test.each([{}, { template_id: null }])(
    'takes a new prompt, with the greeting and the model that it has (%j)',
    async (more) => {
      const config = { model: { provider: 'openai', model: 'gpt-4o', temperature: 0.3 } }
      const id = await restored({ base_config_id: await make('base-configs', { name: 'Warm', config }) })
      const before = await texts(id)
      const messages = system('You sell for {{company_name}}.')
      const sold = system('You sell for Acme.')
      const said = { name: 'Desk', model: { messages }, ...more }
      const saved = await client.data('PUT', `/assistants/${id}`, said)
      expect(await texts(id)).toEqual({ ...before, messages: [messages, sold] })
      const live = () => app.services.platform.assistants.get(saved.voice_assistant_id)
      expect((await live()).model).toMatchObject({ model: 'gpt-4o', temperature: 0.3 })
      await client.send('PUT', `/assistants/${id}`, { name: 'Desk' })
      expect(await texts(id)).toEqual({ ...before, messages: [messages, sold] })
      expect((await live()).model).toMatchObject({ model: 'gpt-4o', temperature: 0.3 })
    },
  )

  test('loses its prompt when the messages are cleared', async () => {
    const id = await restored()
    const { messages: _gone, ...before } = await texts(id)
    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', model: { messages: null } })
    expect(await texts(id)).toEqual({ ...before, messages: [[], []] })
  })

  test.each(['', '/advanced'])('keeps its texts when the record is sent back as it was read (PUT%s)', async (at) => {
    const id = await restored()
    const before = await texts(id)
    const { name, model, template_id, first_message, end_call_message } = await client.data('GET', `/assistants/${id}`)
    const said = { name, model, template_id, firstMessage: first_message, endCallMessage: end_call_message }
    expect((await client.send('PUT', `/assistants/${id}${at}`, said)).status).toBe(200)
    const { greeting, farewell, messages } = await texts(id)
    expect({ greeting, farewell, messages }).toEqual({
      greeting: before.greeting,
      farewell: before.farewell,
      messages: before.messages,
    })
  })

  test('that the builder made is rendered by its layers again', async () => {
    const base = await make('base-configs', { name: 'Plain', config: {} })
    const industry = await make('industry-templates', { name: 'Dental', base_config_id: base, prompt: 'For {{city}}.' })
    const data = await client.data('POST', '/v2/assistants', { name: 'Desk', industry_template_id: industry })
    const id: string = data.assistant_id
    expect((await client.send('PUT', `/v2/assistants/${id}`, { industry_template_id: null })).status).toBe(200)
    await remove('industry-templates', industry)
    expect((await client.send('POST', `/assistants/${id}/update-log/${await oldest(id)}/restore`)).status).toBe(200)
    const rebuilt = await client.send('PUT', `/v2/assistants/${id}`, { variable_values: { city: 'Bergen' } })
    expect(rebuilt).toMatchObject({
      status: 200,
      body: { data: { model: { messages: [{ role: 'system', content: 'For Bergen.' }] } } },
    })
  })

  test('shows what it was rendered from', async () => {
    const templateId = await make('prompt-templates', template)
    const data = await client.data('POST', '/assistants', { name: 'Desk', template_id: templateId })
    const entry = await client.send(
      'GET',
      `/assistants/${data.assistant_id}/update-log/${await oldest(data.assistant_id)}`,
    )
    expect(entry.body.data.configuration.rendered_from).toEqual({ template })
  })
})

describe('a version whose entries were rewritten since', () => {
  const template = {
    name: 'Greeter',
    prompt: 'Old for {{company_name}}.',
    first_message: 'Old {{company_name}}',
    end_call_message: 'Bye',
  }
  const personality = { name: 'Sarah', voice: {}, prompt: 'Be kind.' }
  const metadata = { company_name: 'Bergen' }
  const rewrite = async (kind: string, id: number, body: object) =>
    expect((await admin.send('PUT', `/admin/${kind}/${id}`, body)).status).toBe(200)
  /** An assistant that was saved again after its template was rewritten. */
  async function savedSinceRewritten(more: object) {
    const templateId = await make('prompt-templates', template)
    const body = { name: 'Desk', template_id: templateId, metadata }
    const { assistant_id: id } = await client.data('POST', '/assistants', body)
    await rewrite('prompt-templates', templateId, { ...template, ...more })
    await client.send('PUT', `/assistants/${id}`, { name: 'Other' })
    return { id, templateId }
  }
  const restoreOldest = async (id: string) =>
    client.send('POST', `/assistants/${id}/update-log/${await oldest(id)}/restore`)

  test.each([
    ['a prompt', { prompt: 'New' }, {}],
    ['a greeting', { first_message: 'New' }, {}],
    ['a farewell', { end_call_message: null }, {}],
    ['the prompt of a personality', {}, { prompt: 'Be brief.' }],
  ])('is restored exactly, and stays so through later saves: %s', async (_title, ofTemplate, ofPersonality) => {
    const [templateId, personalityId] = [
      await make('prompt-templates', template),
      await make('personalities', personality),
    ]
    const body = { name: 'Desk', template_id: templateId, personality_id: personalityId, metadata }
    const { assistant_id: id } = await client.data('POST', '/assistants', body)
    await client.send('PUT', `/assistants/${id}/advanced`, { name: 'Desk', personality_id: personalityId })
    const version = (await client.data('GET', `/assistants/${id}/update-log`))[0].id
    const before = await texts(id)
    expect(before.messages[0]).toEqual([{ role: 'system', content: 'Old for Bergen.\n\nBe kind.' }])
    await rewrite('prompt-templates', templateId, { ...template, ...ofTemplate })
    await rewrite('personalities', personalityId, { ...personality, ...ofPersonality })
    await client.send('PUT', `/assistants/${id}`, { name: 'Other' })
    expect(await texts(id)).not.toEqual(before)

    expect((await client.send('POST', `/assistants/${id}/update-log/${version}/restore`)).status).toBe(200)
    expect(await texts(id)).toEqual(before)
    expect((await client.send('PUT', `/assistants/${id}`, { name: 'Third' })).status).toBe(200)
    expect(await texts(id)).toEqual(before)
  })

  test('takes the new texts once the template is named again', async () => {
    const { id, templateId } = await savedSinceRewritten({ first_message: 'New {{company_name}}' })
    expect((await restoreOldest(id)).body.data.template_id).toBe(null)
    expect((await texts(id)).greeting).toEqual(['Old Bergen', 'Old Bergen'])
    await client.send('PUT', `/assistants/${id}`, { name: 'Other', template_id: templateId })
    expect(await texts(id)).toMatchObject({
      greeting: ['New Bergen', 'New Bergen'],
      raw: ['New {{company_name}}', template.end_call_message],
    })
  })

  test('keeps a template of which only the name is another', async () => {
    const { id, templateId } = await savedSinceRewritten({ name: 'Concierge' })
    expect((await restoreOldest(id)).body.data.template_id).toBe(templateId)
  })

  test('that the builder made is built of the old layers', async () => {
    const base = await make('base-configs', { name: 'Plain', config: {} })
    const industry = { name: 'Dental', base_config_id: base, prompt: 'Old for {{company_name}}.' }
    const industryId = await make('industry-templates', industry)
    const preset = { key: `k${crypto.randomUUID()}`, name: 'Brisk', overrides: { firstMessage: 'Old' } }
    const presetId = await make('layer2-presets', preset)
    const { assistant_id: id } = await client.data('POST', '/v2/assistants', {
      ...{ name: 'Desk', industry_template_id: industryId, layer2_key: preset.key, metadata },
    })
    await rewrite('industry-templates', industryId, { ...industry, prompt: 'New' })
    await rewrite('layer2-presets', presetId, { ...preset, overrides: { firstMessage: 'New' } })
    expect((await client.send('PUT', `/v2/assistants/${id}`, { name: 'Other' })).status).toBe(200)
    expect((await texts(id)).greeting).toEqual(['New', 'New'])
    expect((await restoreOldest(id)).status).toBe(200)
    expect((await client.send('PUT', `/v2/assistants/${id}`, { name: 'Third' })).status).toBe(200)
    expect(await texts(id)).toMatchObject({
      greeting: ['Old', 'Old'],
      messages: [[{ role: 'system', content: 'Old for Bergen.' }], [{ role: 'system', content: 'Old for Bergen.' }]],
    })
  })
})

test('the greeting of a template is raw where raw texts are read', async () => {
  const first_message = 'Welcome to {{company_name}}!'
  const templateId = await make('prompt-templates', { name: 'T', prompt: 'Hi', first_message })
  const body = { name: 'Desk', template_id: templateId, metadata: { company_name: 'Acme' } }
  const data = await client.data('POST', '/assistants', body)
  const id: string = data.assistant_id
  const advanced = await client.send('GET', `/assistants/${id}/advanced`)
  expect(advanced.body.data).toMatchObject({ first_message, first_message_raw: first_message })
  const [listed] = await client.data('GET', '/assistants')
  expect(listed).toMatchObject({ first_message: 'Welcome to Acme!', first_message_raw: first_message })
  await client.send('PUT', `/assistants/${id}/advanced`, {
    name: 'Desk',
    firstMessage: advanced.body.data.first_message,
    metadata: { company_name: 'Bolt' },
  })
  expect((await client.data('GET', `/assistants/${id}`)).first_message).toBe('Welcome to Bolt!')
})

describe('tools of a version', () => {
  const tool = { label: 'Look up', description: 'Looks something up.', type: 'endCall', scope: 'global' }
  const toolsOf = async (id: string) => {
    const data = await client.data('GET', `/assistants/${id}`)
    const live = await app.services.platform.assistants.get(data.voice_assistant_id)
    return [data.model.toolIds, live.model?.toolIds]
  }

  test('that were deleted since are left out, and said so', async () => {
    const gone = String(await make('tools', tool))
    const stays = String(await make('tools', tool))
    const { assistant_id: next, voice_assistant_id: target } = await client.data('POST', '/assistants', {
      name: 'Next',
    })
    const handoff = { type: 'handoff', destinations: [{ type: 'assistant', assistantId: target }] }
    const model = { toolIds: [gone, stays], tools: [{ type: 'endCall' }, handoff, { type: 'dtmf' }] }
    const data = await client.data('POST', '/assistants', { name: 'Desk', model })
    const id: string = data.assistant_id
    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', model: null })
    expect((await admin.send('DELETE', `/admin/tools/${gone}`)).status).toBe(200)
    expect((await client.send('DELETE', `/assistants/${next}`)).status).toBe(200)

    const restored = await client.send('POST', `/assistants/${id}/update-log/${await oldest(id)}/restore`)
    expect(restored).toMatchObject({ status: 200, body: { message: 'Assistant restored successfully' } })
    expect(restored.body.left_out).toHaveLength(2)
    expect(restored.body.left_out).toEqual(
      expect.arrayContaining([
        { kind: 'tool', id: gone },
        { kind: 'assistant', id: target },
      ]),
    )
    expect(await toolsOf(id)).toEqual([[stays], [stays]])
    const live = await app.services.platform.assistants.get(restored.body.data.voice_assistant_id)
    expect(live.model).toMatchObject({ tools: [{ type: 'endCall' }, { type: 'dtmf' }] })
    const [entry] = await client.data('GET', `/assistants/${id}/update-log`)
    expect(entry.summary).toContain(`Left out what the workspace has no more: `)
    expect(entry.summary).toContain(`tool ${gone}`)
    expect((await client.send('PUT', `/assistants/${id}`, { name: 'Desk 2' })).status).toBe(200)
    expect(await toolsOf(id)).toEqual([[stays], [stays]])
  })

  test('that nothing was left out of is not spoken of', async () => {
    const data = await client.data('POST', '/assistants', { name: 'Desk' })
    await client.send('PUT', `/assistants/${data.assistant_id}`, { name: 'Other' })
    const version = await oldest(data.assistant_id)
    const restored = await client.send('POST', `/assistants/${data.assistant_id}/update-log/${version}/restore`)
    expect(restored.body).not.toHaveProperty('left_out')
  })

  test('do not take a locked one away, and neither does a template without it', async () => {
    const locked = String(await make('tools', { ...tool, locked: true }))
    const base = await make('base-configs', { name: 'Safe', config: { model: { toolIds: [locked] } } })
    const entry = { name: 'T', prompt: 'Hi', base_config_id: base }
    const [first, second] = [
      await make('prompt-templates', entry),
      await make('prompt-templates', { ...entry, base_config_id: null }),
    ]
    const data = await client.data('POST', '/assistants', { name: 'Desk' })
    const id: string = data.assistant_id
    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', template_id: first })
    expect(await toolsOf(id)).toEqual([[locked], [locked]])
    await client.send('PUT', `/assistants/${id}`, { name: 'Desk', template_id: second, model: { toolIds: [] } })
    expect(await toolsOf(id)).toEqual([[locked], [locked]])
    await client.send('POST', `/assistants/${id}/update-log/${await oldest(id)}/restore`)
    expect(await toolsOf(id)).toEqual([[locked], [locked]])
  })
})
