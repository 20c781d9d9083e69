import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { newDatabase } from '../support/database.ts'
import { addBareVersion, storedAssistant, storedVersions } from '../support/rows/assistants.ts'

let app: TestApp
let user: Client & TestUser
let id: string

beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  user = await newClient(app)
  id = await create({ name: 'One', firstMessage: 'Hello' })
})

const create = async (body: object) => {
  const created = await app.send('POST', '/assistants', { token: user.token, body })
  return (await created.json()).data.assistant_id
}
const send = (method: string, path: string, body?: object) => user.send(method, `/assistants/${id}${path}`, body)
const log = (query = '') => user.data('GET', `/assistants/${id}/update-log${query}`)
const restore = (entryId: number | string) => send('POST', `/update-log/${entryId}/restore`)
const row = () => storedAssistant(app.database, id)
const live = async () => app.services.platform.assistants.get((await row()).voiceAssistantId)

describe('the history', () => {
  test('names editor, actor and every change, newest first', async () => {
    await send('PUT', '', { name: 'Two', voice: { speed: 2 } })
    await send('PUT', '/advanced', { name: 'Two', artifactPlan: { recording: true } })
    await send('PUT', '/embed', { embed_config: { title: 'Ask' } })
    const entries = await log()
    expect(entries.map(({ action, source }: { action: string; source: string }) => [action, source])).toEqual([
      ['updated', 'embed'],
      ['updated', 'advanced'],
      ['updated', 'regular'],
      ['created', 'regular'],
    ])
    expect(entries[2]).toEqual({
      id: expect.any(Number),
      action: 'updated',
      source: 'regular',
      actor: { id: user.userId, name: expect.any(String) },
      changes: [
        { path: 'name', from: 'One', to: 'Two' },
        { path: 'voice', from: null, to: { speed: 2 } },
      ],
      summary: 'Changed name from "One" to "Two". Set voice to {"speed":2}.',
      is_current: false,
      restorable: true,
      restored_from: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(entries.map(({ is_current }: { is_current: boolean }) => is_current)).toEqual([true, false, false, false])
    expect((await send('GET', '/update-log?per_page=3&page=2')).body.pagination).toEqual({
      current_page: 2,
      last_page: 2,
      per_page: 3,
      total: 4,
      from: 4,
      to: 4,
    })
  })

  test('a save that changes nothing writes nothing', async () => {
    await send('PUT', '', { name: 'One' })
    await send('PUT', '/embed', { embed_config: {} })
    await send('PUT', '/embed', { embed_config: {} })
    expect((await log()).length).toBe(2)
  })

  test('secrets are masked and provider selections are not shown', async () => {
    await send('PUT', '', { name: 'One', startSpeakingPlan: { apiKey: 'hush', nested: { token: 'hush' } } })
    const [entry] = await log()
    const single = await send('GET', `/update-log/${entry.id}`)
    expect(single.body.data.configuration).toMatchObject({
      name: 'One',
      config: { startSpeakingPlan: { apiKey: '••••' } },
    })
    expect(JSON.stringify([entry, single])).not.toContain('hush')
    expect(JSON.stringify(single)).not.toContain('provider')
  })

  test('headers of the servers of tools are masked as secrets are, wherever they stand', async () => {
    const tool = (key: string) => ({
      type: 'function',
      function: { name: 'look_up' },
      server: { url: `https://user:${key}@tools.example/x?token=${key}`, secret: 'hush', headers: { 'X-Key': key } },
    })
    for (const key of ['hush-1', 'hush-2']) await send('PUT', '', { name: 'One', model: { tools: [tool(key)] } })
    const plan = (key: string) => ({
      hooks: [{ on: 'x' }],
      startSpeakingPlan: { server: { headers: { 'X-Key': key } } },
    })
    for (const key of ['hush-3', 'hush-4']) await send('PUT', '', { name: 'One', ...plan(key) })
    const entries = await log()
    const compared = await send('GET', `/update-log/${entries.at(-1).id}/compare/${entries[0].id}`)
    const singles = await Promise.all(
      entries.map(({ id: entry }: { id: number }) => send('GET', `/update-log/${entry}`)),
    )
    const text = JSON.stringify([entries, compared, singles])
    expect(text).toContain('X-Key')
    expect(text).toContain('"https://tools.example/x?***"')
    expect(text).not.toContain('hush')
  })

  test.each([
    ['GET', '/update-log/999999999', 404, 'Version not found'],
    ['GET', '/update-log/x', 404, 'Version not found'],
    ['POST', '/update-log/x/restore', 422, 'Version not found for this assistant.'],
    ['POST', `/update-log/${crypto.randomUUID()}/restore`, 422, 'Version not found for this assistant.'],
  ])('%s %s', async (method, path, status, message) => {
    expect(await send(method, path)).toEqual({ status, body: { success: false, message } })
  })
})

describe('restore', () => {
  test('makes an earlier configuration current on both sides and adds an entry', async () => {
    await send('PUT', '', { name: 'Two', firstMessage: 'Bye', metadata: { webhook_url: 'https://a.example/x' } })
    const [, first] = await log()
    const answer = await restore(first.id)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Assistant restored successfully',
        data: { assistant_id: id, name: 'One', first_message: 'Hello', webhook_url: null },
      },
    })
    expect(liveDiffers((await row()).live, await live())).toEqual([])
    expect(await live()).toMatchObject({ name: 'One', firstMessage: 'Hello' })
    const [entry] = await log()
    expect(entry).toMatchObject({ action: 'restored', source: 'restore', restored_from: first.id, is_current: true })
  })

  test('texts come back as they were rendered, whatever became of the template', async () => {
    const operator = await newClient(app, { role: 'admin' })
    const template = await operator.data('POST', '/admin/prompt-templates', {
      name: 'T',
      prompt: 'Old {{assistant_name}}',
    })
    const templateId = template.id
    const path = `/admin/prompt-templates/${templateId}`
    id = await create({ name: 'Rendered', template_id: templateId })
    await operator.data('PUT', path, { name: 'T', prompt: 'New {{assistant_name}}' })
    await send('PUT', '', { name: 'Rendered', template_id: null })
    expect((await operator.send('DELETE', path)).status).toBe(200)
    const first = (await log()).at(-1)
    const { data } = (await restore(first.id)).body
    expect(data.coreData.model.messages).toEqual([{ role: 'system', content: 'Old Rendered' }])
    expect(data.template_id).toBeNull()
    expect(data.model.messages).toEqual([{ role: 'system', content: 'Old Rendered' }])
    expect(liveDiffers((await row()).live, await live())).toEqual([])
  })

  test('the three reasons against it', async () => {
    const [current] = await log()
    expect(await restore(current.id)).toEqual({
      status: 422,
      body: { success: false, message: 'This version is already the current configuration.' },
    })
    expect(await restore(999_999_999)).toEqual({
      status: 422,
      body: { success: false, message: 'Version not found for this assistant.' },
    })
    const otherId = id
    id = await create({ name: 'Other' })
    expect((await restore(current.id)).body.message).toBe('Version not found for this assistant.')
    id = otherId
    const entry = await addBareVersion(app.database, id, user.userId)
    expect(await restore(entry)).toEqual({
      status: 422,
      body: { success: false, message: 'This version has no restorable configuration.' },
    })
    const [newest, created] = await log()
    expect([newest.restorable, newest.is_current, created.is_current]).toEqual([false, false, true])
  })

  test('an older entry with the current configuration is current, too', async () => {
    await send('PUT', '', { name: 'Two' })
    await send('PUT', '', { name: 'One' })
    const first = (await log()).at(-1)
    expect((await restore(first.id)).body.message).toBe('This version is already the current configuration.')
  })

  test('a failed live write is 500 and changes nothing', async () => {
    await send('PUT', '', { name: 'Two' })
    const before = await row()
    const [, first] = await log()
    app.platform.faults.add({
      method: 'PATCH',
      path: /assistant/,
      times: 1,
      mode: 'status',
      status: 400,
      body: { message: 'no' },
    })
    expect(await restore(first.id)).toEqual({
      status: 500,
      body: { success: false, message: 'Failed to update assistant in Cloud: no' },
    })
    expect(await row()).toEqual(before)
  })

  test('an unreadable history is 502', async () => {
    const own = await newDatabase()
    const broken = await testApp({ database: own })
    const { token } = await newUser(own)
    const created = await broken.send('POST', '/assistants', { token, body: { name: 'A' } })
    const { assistant_id } = (await created.json()).data
    await own.sql`alter table assistant_versions rename to elsewhere`
    const answer = await broken.send('POST', `/assistants/${assistant_id}/update-log/1/restore`, { token })
    expect([answer.status, await answer.json()]).toEqual([
      502,
      { success: false, message: 'The configuration history is unavailable. Please try again.' },
    ])
    await own.close()
  })
})

test('the newest entries are kept, and always the current one', async () => {
  const few = await testApp({
    settings: {
      publicUrl: 'http://localhost',
      backgroundSoundBaseUrl: undefined,
      versionHistoryLimit: 3,
      conversationDays: 0,
    },
  })
  for (const name of ['a', 'b', 'c', 'd'])
    await few.send('PUT', `/assistants/${id}`, { token: user.token, body: { name } })
  const entries = await log()
  expect(entries.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Changed name from "c" to "d".',
    'Changed name from "b" to "c".',
    'Changed name from "a" to "b".',
  ])
  expect(entries[0]).toMatchObject({ changes: [{ path: 'name', from: 'c', to: 'd' }], is_current: true })
})

test('100 random edits, then 100 random restores: both sides always equal, each restore exact', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const edits = [
    () => ['', { name: `Name ${random(50)}` }],
    () => ['', { name: 'Same', firstMessage: `Hi ${random(9)} {{city}}`, variableValues: { city: `C${random(5)}` } }],
    () => [
      '/advanced',
      { name: 'Same', artifactPlan: { recording: random(2) === 1 }, voice: { speed: 1 + random(5) / 10 } },
    ],
    () => ['', { name: 'Same', metadata: { webhook_url: random(2) ? `https://a.example/${random(4)}` : null } }],
    () => [
      '',
      { name: 'Same', endCallPhrases: random(3) ? [`bye ${random(4)}`] : null, maxDurationSeconds: 10 + random(500) },
    ],
    () => ['/embed', { embed_config: { title: `T${random(6)}` } }],
  ] as const
  for (let edit = 0; edit < 100; edit++) {
    const [path, body] = (edits[random(edits.length)] ?? edits[0])()
    expect((await send('PUT', String(path), body as object)).status).toBe(200)
  }
  for (let turn = 0; turn < 100; turn++) {
    const entries = await log('?per_page=100')
    const chosen = entries[random(entries.length)]
    const answer = await restore(chosen.id)
    if (answer.status !== 200) {
      expect(answer.body.message).toBe('This version is already the current configuration.')
      continue
    }
    const version = (await storedVersions(app.database, id)).find((one) => one.id === chosen.id)
    const current = await row()
    const { sources: _origin, ...saved } = version?.configuration ?? {}
    expect(configurationOf(current)).toEqual(saved)
    expect(liveDiffers(current.live, await live())).toEqual([])
  }
}, 240_000)
