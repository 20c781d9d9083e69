import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import type { Caller } from '../admin/caller.ts'
import { storedAssistant } from '../support/rows/assistants.ts'
import { createRig, fillLayers, type Layers, type Rig } from './rig.ts'

let rig: Rig
let layers: Layers
let user: Caller
let id: string
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
})
beforeEach(async () => {
  rig.app.platform.faults.clear()
  user = await rig.caller()
  const made = await user.send('POST', '/v2/assistants', {
    name: 'Desk',
    type: 'production',
    industry_template_id: layers.industry,
    layer2_key: layers.key,
    first_message: 'Mine {{city}}',
    server_url: 'https://example.com/hook',
    metadata: { company_name: 'Smile' },
    variable_values: { city: 'Austin' },
  })
  id = String(made.body.data.assistant_id)
})

const put = (body: object, caller = user) => caller.send('PUT', `/v2/assistants/${id}`, body)
const regular = (body: object) => user.send('PUT', `/assistants/${id}`, { name: 'Desk', ...body })
const row = () => storedAssistant(rig.app.database, id)
const log = async () =>
  (await user.send('GET', `/assistants/${id}/update-log`)).body.data as unknown as { id: number }[]
const live = async () => rig.app.services.platform.assistants.get((await row()).voiceAssistantId)
const noBase =
  'base_config_id is required, or provide prompt_template_id or industry_template_id whose template has a base config.'

describe('PUT /v2/assistants/{assistantId}', () => {
  test('an empty body changes nothing', async () => {
    const before = await row()
    const answer = await put({})
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, message: 'Assistant updated successfully', data: { base_config_name: 'Studio' } },
    })
    expect(answer.body.data).not.toHaveProperty('build_context')
    expect(configurationOf(await row())).toEqual(configurationOf(before))
    expect((await user.send('GET', `/assistants/${id}/update-log`)).body.pagination).toMatchObject({ total: 1 })
  })

  test.each([
    ['first_message', 'end_call_message'],
    ['firstMessage', 'endCallMessage'],
  ])('a record sent back with another city keeps its placeholders (%s)', async (greeting, farewell) => {
    const made = await user.send('POST', '/v2/assistants', {
      name: 'Desk',
      prompt_template_id: layers.template,
      variable_values: { city: 'Austin' },
    })
    const path = `/v2/assistants/${made.body.data.assistant_id}`
    const read = (await user.send('GET', path)).body.data
    const said = { [greeting]: read.first_message, [farewell]: read.end_call_message }
    const sent = { base_config_id: read.base_config_id, ...said, variable_values: { city: 'Bergen' } }
    expect((await user.send('PUT', path, sent)).body.data).toMatchObject({
      first_message: 'Template hi Bergen',
      first_message_raw: 'Template hi {{city}}',
      end_call_message_raw: 'Base bye',
    })
    const own = { ...said, prompt_template_id: layers.bare }
    expect((await user.send('PUT', path, own)).body.data).toMatchObject({ first_message_raw: 'Template hi Austin' })
  })

  const changes = (): [sent: object, changed: object, live: object][] => [
    [{ name: 'New' }, { name: 'New' }, { name: 'New' }],
    [{ type: 'demo' }, { type: 'demo' }, {}],
    [
      { layer2_key: layers.otherKey },
      { max_duration_seconds: 60, end_call_message: 'Base bye', voice: { voiceId: 'sarah', speed: 0.9 } },
      { maxDurationSeconds: 60, endCallMessage: 'Base bye' },
    ],
    [{ layer2_key: null }, { max_duration_seconds: 300 }, {}],
    [
      { base_config_id: layers.other },
      { base_config_id: layers.other, base_config_name: 'Plain', voice: { voiceId: 'Elliot', speed: 1 } },
      { voice: { provider: 'vapi', voiceId: 'Elliot', speed: 1 } },
    ],
    [
      { personality_id: layers.personality },
      { personality_id: layers.personality, voice: { voiceId: 'onyx', speed: 1 } },
      { voice: { provider: 'openai', voiceId: 'onyx', speed: 1 } },
    ],
    [
      { prompt_template_id: layers.bare },
      { template_id: layers.bare },
      { model: { messages: [{ role: 'system', content: 'Plain Austin.' }] } },
    ],
    [
      { system_prompt: 'Own {{city}}' },
      { model: { messages: [{ role: 'system', content: 'Own Austin' }] } },
      { model: { messages: [{ role: 'system', content: 'Own Austin' }] } },
    ],
    [{ industry_template_id: null }, { model: { messages: [] } }, { model: { messages: [] } }],
    [{ first_message: null }, { first_message: 'Base hello' }, { firstMessage: 'Base hello' }],
    [{ endCallMessage: 'So long' }, { end_call_message: 'So long' }, { endCallMessage: 'So long' }],
    [{ server_url: null }, { webhook_url: null }, {}],
    [
      { variable_values: { city: 'Boston' } },
      { first_message: 'Mine Boston', first_message_raw: 'Mine {{city}}' },
      { model: { messages: [{ role: 'system', content: 'Book for Smile in Boston.' }] } },
    ],
    [{ metadata: { location: 'Main St' } }, { metadata: { company_name: 'Smile', location: 'Main St' } }, {}],
  ]
  test('changes what is sent, applies the layers again, and leaves the rest', async () => {
    const start = await row()
    const [created] = await log()
    for (const [sent, changed, remote] of changes()) {
      const { status, body } = await put(sent)
      expect({ sent, status, data: body.data }).toMatchObject({ sent, status: 200, data: changed })
      const now = await live()
      expect(now).toMatchObject(remote)
      expect(liveDiffers((await row()).live, now)).toEqual([])
      const [entry] = await log()
      expect(entry).toMatchObject({ action: 'updated', source: 'v2' })
      await user.send('POST', `/assistants/${id}/update-log/${created?.id}/restore`)
      expect(configurationOf(await row())).toEqual(configurationOf(start))
      expect(liveDiffers(start.live, await live())).toEqual([])
    }
  })

  test('a preset that was taken off is read as none', async () => {
    await put({ layer2_key: null })
    const read = await user.send('GET', `/v2/assistants/${id}`)
    expect(read.body.data).toMatchObject({ build_context: { base_config_id: layers.base, layer2_key: null } })
  })

  test('what other editors changed stays, unless it is said anew', async () => {
    await regular({ firstMessage: 'Edited', voice: { speed: 1.5 }, keypadInputPlan: { enabled: true } })
    const kept = await put({ layer2_key: layers.otherKey })
    expect(kept.body.data).toMatchObject({
      first_message: 'Edited',
      voice: { voiceId: 'sarah', speed: 1.5 },
      keypad_input_plan: { enabled: true },
      max_duration_seconds: 60,
    })
    expect((await put({ first_message: 'Anew' })).body.data).toMatchObject({ first_message: 'Anew' })
  })

  const cleared = [
    { first_message: null, end_call_message: null },
    { firstMessage: null, endCallMessage: null },
    { first_message: null, firstMessage: null, end_call_message: null, endCallMessage: null },
  ]
  test.each(cleared)('null clears texts that other editors set: %o', async (sent) => {
    await regular({ firstMessage: 'Edited', endCallMessage: 'Edited' })
    const layered = { first_message: 'Base hello', end_call_message: 'Preset bye' }
    expect((await put(sent)).body.data).toMatchObject(layered)
    expect(await live()).toMatchObject({ firstMessage: 'Base hello', endCallMessage: 'Preset bye' })
  })

  test.each([
    { first_message: null, firstMessage: 'Other', end_call_message: null, endCallMessage: 'Other' },
    { first_message: 'Other', firstMessage: null, end_call_message: 'Other', endCallMessage: null },
  ])('null in one spelling yields to a text in the other: %o', async (sent) => {
    const texts = { first_message: 'Other', end_call_message: 'Other' }
    expect((await put(sent)).body.data).toMatchObject(texts)
    expect(await live()).toMatchObject({ firstMessage: 'Other', endCallMessage: 'Other' })
    const preview = await user.send('POST', '/v2/assistants/preview', {
      name: 'A',
      base_config_id: layers.base,
      ...sent,
    })
    expect(preview.body.data).toMatchObject({ rendered: texts })
  })

  test('of both spellings of a text the first wins, also where it repeats what is shown', async () => {
    await regular({ firstMessage: 'Edited', endCallMessage: 'Edited' })
    const sent = { first_message: 'Edited', firstMessage: 'X', end_call_message: 'Edited', endCallMessage: 'X' }
    expect((await put(sent)).body.data).toMatchObject({ first_message: 'Edited', end_call_message: 'Edited' })
  })

  test('a personality that another editor switched gives way to the one that is sent', async () => {
    const calm = await rig.entry('personalities', { name: 'Calm', voice: { provider: '11labs', voiceId: 'adam' } })
    await user.send('PUT', `/assistants/${id}/advanced`, { name: 'Desk', personality_id: layers.personality })
    expect((await put({ layer2_key: null })).body.data).toMatchObject({ voice: { voiceId: 'onyx' } })
    expect((await put({ personality_id: calm })).body.data).toMatchObject({ voice: { voiceId: 'adam' } })
    expect((await live()).voice).toMatchObject({ provider: '11labs', voiceId: 'adam', stability: 0.4 })
  })

  test('a personality that is sent again leaves the voice that was changed since, on every editor', async () => {
    const advanced = (body: object) => user.send('PUT', `/assistants/${id}/advanced`, { name: 'Desk', ...body })
    const { personality } = layers
    await advanced({ personality_id: personality, voice: { voiceId: 'nova' } })
    for (const again of [put, advanced]) {
      expect(await again({ personality_id: personality })).toMatchObject({ status: 200 })
      expect(await row()).toMatchObject({ personalityId: personality, config: { voice: { voiceId: 'nova' } } })
      expect((await live()).voice).toMatchObject({ voiceId: 'nova' })
    }
  })

  test('operators change the layers: the next rebuild applies them', async () => {
    const config = { voice: { provider: 'vapi', voiceId: 'Elliot' }, maxDurationSeconds: 900 }
    const base = await rig.entry('base-configs', { name: 'Moving', config })
    await put({ base_config_id: base, layer2_key: null })
    const changed = { name: 'Moved', config: { ...config, maxDurationSeconds: 1200 } }
    await rig.admin.send('PUT', `/admin/base-configs/${base}`, changed)
    const answer = await put({ name: 'Desk' })
    expect(answer.body.data).toMatchObject({ max_duration_seconds: 1200, base_config_name: 'Moved' })
  })

  test('a locked tool stays attached when no layer names it any more', async () => {
    const tool = { label: 'Keep', description: 'Stays', type: 'endCall', scope: 'global' }
    const locked = (await rig.admin.send('POST', '/admin/tools', { ...tool, locked: true })).body.data.id
    const open = (await rig.admin.send('POST', '/admin/tools', tool)).body.data.id
    const config = { model: { toolIds: [locked, open] } }
    const base = await rig.entry('base-configs', { name: 'Tools', config })
    await put({ base_config_id: base })
    expect((await live()).model?.toolIds).toEqual([locked, open])
    await put({ base_config_id: layers.base })
    expect((await live()).model?.toolIds).toEqual([locked])
  })

  const refused = (): [body: object, field: string, text: string][] => [
    [{ name: '' }, 'name', 'Assistant name is required.'],
    [{ name: null }, 'name', 'Assistant name is required.'],
    [{ name: 'x'.repeat(41) }, 'name', 'Assistant name cannot exceed 40 characters.'],
    [{ layer2_key: 'nothing' }, 'layer2_key', 'The selected layer2_key does not exist.'],
    [{ personality_id: 2_147_483_647 }, 'personality_id', 'The selected personality_id does not exist.'],
    [{ server_url: 'x' }, 'server_url', 'The server_url field must be a valid URL.'],
  ]
  test('refuses what create refuses', async () => {
    for (const [body, field, text] of refused()) {
      expect(await put(body)).toEqual({
        status: 422,
        body: { success: false, message: text, errors: { [field]: [text] } },
      })
    }
  })

  test('a base config that is taken away must come from elsewhere', async () => {
    expect((await put({ base_config_id: null })).body.data.base_config_id).toBe(layers.base)
    expect(await put({ base_config_id: null, industry_template_id: null })).toEqual({
      status: 422,
      body: { success: false, message: noBase },
    })
  })

  const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty']
  test.each(inherited)('a base config with a setting called %s is applied, shown and taken away again', async (key) => {
    const odd = await rig.entry('base-configs', { name: 'Odd', config: { maxDurationSeconds: 90, [key]: { a: 1 } } })
    expect((await put({ base_config_id: odd })).status).toBe(200)
    expect((await row()).config).toMatchObject({ [key]: { a: 1 } })
    const [newest] = await log()
    const version = await user.send('GET', `/assistants/${id}/update-log/${newest?.id}`)
    expect(version.status).toBe(200)
    expect((await put({ base_config_id: layers.base })).status).toBe(200)
    expect(Object.keys((await row()).config)).not.toContain(key)
  })

  test('an assistant of the regular editor is 422', async () => {
    const made = await user.send('POST', '/assistants', { name: 'Plain' })
    expect(await user.send('PUT', `/v2/assistants/${made.body.data.assistant_id}`, { name: 'B' })).toEqual({
      status: 422,
      body: {
        success: false,
        message: 'Cannot update: no base_config_id (assistant was not created via v2).',
      },
    })
  })

  test('a failed live write is 500 and changes nothing', async () => {
    const before = await row()
    const fault = { method: 'PATCH', path: /assistant/, mode: 'status', status: 400 } as const
    rig.app.platform.faults.add({ ...fault, body: { message: ['name is odd'] } })
    expect(await put({ name: 'New' })).toEqual({
      status: 500,
      body: { success: false, message: 'Failed to update assistant in Cloud: name is odd' },
    })
    expect(await row()).toEqual(before)
  })

  test('a viewer is 403, a stranger 404', async () => {
    const viewer = await rig.caller({ workspaceId: user.workspaceId, workspaceRole: 'viewer' })
    expect((await put({ name: 'New' }, viewer)).status).toBe(403)
    const notFound = { status: 404, body: { success: false, message: 'Assistant not found' } }
    expect(await put({ name: 'New' }, await rig.caller())).toEqual(notFound)
  })
})
