import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../admin/caller.ts'
import { createRig, type Rig } from '../builder/rig.ts'
import { changeAssistant } from '../support/rows/assistants.ts'
import { writtenBack } from './written-back.ts'

type Json = Record<string, unknown>

let rig: Rig
let user: Caller
beforeAll(async () => {
  rig = await createRig()
  user = await rig.caller()
})

async function put(kind: string, id: number, body: object) {
  expect((await rig.admin.send('PUT', `/admin/${kind}/${id}`, { name: 'Rewritten', ...body })).status).toBe(200)
}
const texts = (name: string) => ({
  prompt: `${name} prompt of {{company_name}}`,
  first_message: `${name} hello of {{company_name}}`,
  end_call_message: `${name} bye of {{company_name}}`,
})
const raw = (name: string) => ({
  first_message_raw: texts(name).first_message,
  end_call_message_raw: texts(name).end_call_message,
})
const rendered = (name: string) => {
  const filled = (text: string) => text.replace('{{company_name}}', 'Smile')
  const { prompt, first_message, end_call_message } = texts(name)
  return {
    model: { messages: [{ role: 'system', content: filled(prompt) }] },
    first_message: filled(first_message),
    end_call_message: filled(end_call_message),
  }
}
const shown = (name: string) => ({ ...rendered(name), ...raw(name) })

let base: number
let template: number
let preset: string
beforeEach(async () => {
  base = await rig.entry('base-configs', { name: 'Base', config: { firstMessage: 'Base hello' } })
  template = await rig.entry('prompt-templates', { name: 'Desk', ...texts('Old') })
  preset = `preset-${crypto.randomUUID()}`
})

async function make(path: string, body: object) {
  const made = await user.send('POST', path, { name: 'Ann', metadata: { company_name: 'Smile' }, ...body })
  expect(made.status).toBe(201)
  const at = `/assistants/${made.body.data.assistant_id}`
  return {
    id: String(made.body.data.assistant_id),
    read: async (view = '') => (await user.send('GET', at + view)).body.data as Json,
    save: async (view = '', sent: object = {}) => {
      const { status, body: saved } = await user.send('PUT', at + view, { name: 'Ann', ...sent })
      expect([status, saved.errors]).toEqual([200, undefined])
      return saved.data as Json
    },
    at,
  }
}
const ways: [name: string, path: string, body: () => object][] = [
  ['of the regular editor', '/assistants', () => ({ template_id: template })],
  ['that v2 built', '/v2/assistants', () => ({ base_config_id: base, prompt_template_id: template })],
]
const rewrite = () => put('prompt-templates', template, texts('New'))

describe.each(ways)('an assistant %s, whose template operators rewrote', (_name, path, body) => {
  test('shows the texts that it was rendered from until the next save', async () => {
    const { id, read, save, at } = await make(path, body())
    await rewrite()
    expect(await read()).toMatchObject(shown('Old'))
    expect(await read('/advanced')).toMatchObject({ ...raw('Old'), first_message: texts('Old').first_message })
    const list = (await user.send('GET', '/assistants?per_page=100')).body.data as unknown as Json[]
    expect(list.find(({ assistant_id }) => assistant_id === id)).toMatchObject(raw('Old'))
    await user.send('PUT', `${at}/embed`, { embed_config: { title: 'Ask' } })
    expect(await read()).toMatchObject(shown('Old'))
    expect(await save('', writtenBack(await read()))).toMatchObject(shown('New'))
    expect(await read('/advanced')).toMatchObject(raw('New'))
    const [, entry] = (await user.send('GET', `${at}/update-log`)).body.data as unknown as Json[]
    await user.send('POST', `${at}/update-log/${entry?.id}/restore`)
    expect(await read()).toMatchObject(shown('Old'))
    expect(await save()).toMatchObject(shown('Old'))
  })

  test.each(['', '/advanced'])('gets prompt, greeting and farewell with the next save: PUT %s', async (view) => {
    const { save } = await make(path, body())
    await rewrite()
    expect(await save(view)).toMatchObject(shown('New'))
    await put('prompt-templates', template, { ...texts('Newer'), first_message: null, end_call_message: null })
    const greeting = path === '/assistants' ? '' : 'Base hello'
    const saved = {
      first_message: greeting,
      first_message_raw: greeting,
      end_call_message: '',
      end_call_message_raw: '',
    }
    expect(await save(view)).toMatchObject({ model: rendered('Newer').model, ...saved })
  })

  test('keeps a greeting of its own, and one that was taken away', async () => {
    const { save } = await make(path, body())
    await save('', { firstMessage: 'Mine', endCallMessage: path === '/assistants' ? 'Mine, too' : null })
    await rewrite()
    expect(await save()).toMatchObject({
      model: rendered('New').model,
      first_message_raw: 'Mine',
      end_call_message_raw: path === '/assistants' ? 'Mine, too' : '',
    })
  })
})

test('what v2 built from a preset gets its greeting with its prompt, and keeps that of its base config', async () => {
  const layer = (name: string) => ({
    overrides: { endCallMessage: `${name} bye`, model: { messages: [{ role: 'system', content: `${name} prompt` }] } },
  })
  const id = await rig.entry('layer2-presets', { key: preset, name: 'Preset', ...layer('Old') })
  const { save } = await make('/v2/assistants', { base_config_id: base, layer2_key: preset })
  await put('layer2-presets', id, { key: preset, ...layer('New') })
  await put('base-configs', base, { config: { firstMessage: 'New base hello' } })
  expect(await save()).toMatchObject({
    model: { messages: [{ role: 'system', content: 'New prompt' }] },
    first_message: 'Base hello',
    end_call_message: 'New bye',
  })
  expect(await save('', { model: { messages: null } })).toMatchObject({ end_call_message: 'New bye' })
})

test('a record from before these texts were kept shows those of its template', async () => {
  const { id, read, save } = await make('/assistants', { template_id: template })
  await changeAssistant(rig.app.database, id, { templateTexts: null })
  expect(await read()).toMatchObject(raw('Old'))
  await rewrite()
  expect(await read()).toMatchObject(raw('New'))
  await save()
  await put('prompt-templates', template, texts('Newer'))
  expect(await read()).toMatchObject(raw('New'))
})
