import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { newUser } from '../support/app.ts'

let rig: DriftRig
beforeAll(async () => {
  rig = await createDriftRig()
})
afterAll(() => rig.stop())

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

/** What a tool answers, as JSON. */
async function call(name: string, input: object = {}, token = rig.user.token): Promise<Body> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const response = await rig.app.send('POST', '/mcp', { token, headers, body })
  const [line = ''] = (await response.text()).split('\n').filter((one) => one.startsWith('data: '))
  const { result } = JSON.parse(line.slice('data: '.length))
  if (result.isError) throw new Error(result.content[0].text)
  return JSON.parse(result.content[0].text)
}
const operation = (name: string, input: object = {}, token?: string) =>
  call('call_operation', { operation: name, input }, token)

const greeting = 'Hi'
const make = (more: object = {}) => rig.data('POST', '/assistants', { name: 'Ann', firstMessage: greeting, ...more })
const outside = (record: Body, body: object) =>
  rig.outside.assistants.update(String(record.voice_assistant_id), body as never)
const history = (record: Body) => rig.data<Body[]>('GET', `/assistants/${record.assistant_id}/update-log?per_page=100`)
const read = (record: Body) => rig.data('GET', `/assistants/${record.assistant_id}`)

async function takeBack({ undo }: Body) {
  const { tool, arguments: given } = undo as { tool: string; arguments: object }
  return call(tool, given)
}

describe('the undo of a write on an assistant', () => {
  test('leaves what was changed outside', async () => {
    const record = await make()
    await outside(record, { firstMessage: 'Outside hi', endCallMessage: 'Outside bye' })
    const changed = await call('change_assistant', { assistant_id: record.assistant_id, system_prompt: 'Be kind.' })
    await takeBack(changed)
    const { system_prompt: _prompt, ...back } = await read(record)
    expect(back).toMatchObject({ first_message: 'Outside hi', end_call_message: 'Outside bye' })
    expect(JSON.stringify(back)).not.toContain('Be kind.')
  })

  test('is that of the write alone, also where another was made at once', async () => {
    const record = await make()
    const { assistant_id } = record
    const answers = await Promise.all([
      call('change_assistant', { assistant_id, first_message: 'Good morning' }),
      call('change_assistant', { assistant_id, name: 'Bea' }),
    ])
    const entries = await history(record)
    for (const { changed, undo } of answers) {
      const own = entries.findIndex(({ summary }) => summary === changed)
      expect(undo).toMatchObject({ arguments: { entry_id: entries[own + 1]?.id } })
    }
  })

  test('is found behind many entries that hold no configuration', async () => {
    const record = await make()
    const number = await bought()
    for (let times = 0; times < 12; times++) await lead(number, times % 2 === 0 ? record.assistant_id : null)
    const entries = await history(record)
    expect(entries).toHaveLength(13)
    const created = entries.find(({ action }) => action === 'created')
    const changed = await call('change_assistant', { assistant_id: record.assistant_id, first_message: 'Hello' })
    expect(changed.undo).toMatchObject({ arguments: { entry_id: created?.id } })
  })

  test('comes first, and the answer stays JSON, where the record is large', async () => {
    const messages = Array.from({ length: 8 }, () => ({ role: 'system', content: 'x'.repeat(9_000) }))
    const record = await make({ model: { messages } })
    const changed = await call('change_assistant', { assistant_id: record.assistant_id, first_message: 'Hello' })
    expect(Object.keys(changed).slice(0, 2)).toEqual(['changed', 'undo'])
    expect(changed).toMatchObject({
      changed: 'Changed the first message from "Hi" to "Hello".',
      undo: { tool: 'restore_assistant' },
      changes: expect.any(Array),
      cut: expect.stringContaining('without data'),
    })
  })
})

describe('what a write on an assistant says that it changed', () => {
  const unrecorded = 'Nothing that the history records.'

  test.each<[name: string, input: (record: Body) => Promise<object>, said: object]>([
    ['embed.rotateKey', async () => ({}), { changed: unrecorded, undo: null }],
    [
      'assistants.update',
      async () => ({ name: 'Ann', user_id: (await newUser(rig.app.database)).userId }),
      { changed: unrecorded, undo: null },
    ],
    ['assistants.update', async () => ({ name: 'Ann' }), { changed: unrecorded, undo: null }],
    ['assistants.delete', async () => ({}), { changed: 'Assistant deleted successfully', undo: null }],
    [
      'assistants.reconcile',
      async (record) => {
        await rig.outside.assistants.delete(String(record.voice_assistant_id))
        return { keep: 'theirs' }
      },
      { changed: 'Assistant deleted successfully', undo: null },
    ],
    [
      'assistants.reconcile',
      async (record) => {
        await outside(record, { firstMessage: 'Outside hi' })
        return { keep: 'theirs' }
      },
      {
        changed: 'Changed the first message from "Hi" to "Outside hi".',
        undo: { tool: 'restore_assistant', arguments: { entry_id: expect.any(Number) } },
      },
    ],
  ])('%s', async (name, input, said) => {
    const record = await make()
    const token = await rig.operator()
    const given = { assistantId: record.assistant_id, ...(await input(record)) }
    expect(await operation(name, given, token)).toMatchObject(said)
  })

  test('change_assistant without a change', async () => {
    const { assistant_id } = await make()
    expect(await call('change_assistant', { assistant_id, first_message: greeting })).toMatchObject({
      changed: 'Nothing changed.',
      undo: null,
    })
  })

  test.each(['assistants.create', 'assistantBuilder.create'])('%s', async (name) => {
    const base = { name: 'Base', config: { maxDurationSeconds: 90 } }
    const { id: base_config_id } = await rig.data('POST', '/admin/base-configs', base, await rig.operator())
    const input = name === 'assistants.create' ? { name: 'New' } : { name: 'New', base_config_id }
    const made = await operation(name, input)
    expect(made).toMatchObject({ changed: 'Created New.', undo: { tool: 'call_operation' } })
    expect(await takeBack(made)).toMatchObject({ message: 'Assistant deleted successfully' })
  })
})

async function bought(): Promise<Body> {
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  return rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
}
const lead = (number: Body, target: unknown) =>
  call('attach_number', { number: String(number.phone_number), voice_assistant_id: target })
const leadOutside = (number: Body, assistantId: unknown) =>
  rig.outside.phoneNumbers.update(String(number.voice_phone_number_id), { provider: 'twilio', assistantId } as never)

describe('the undo of leading a number', () => {
  test('leads it where it led directly before, also where that was changed outside', async () => {
    const [ann, bea, cem, number] = [await make(), await make(), await make(), await bought()]
    await lead(number, ann.assistant_id)
    await leadOutside(number, bea.voice_assistant_id)
    const led = await lead(number, cem.assistant_id)
    expect(led.undo).toMatchObject({ arguments: { voice_assistant_id: bea.voice_assistant_id } })
    expect(await takeBack(led)).toMatchObject({ data: { voice_assistant_id: bea.voice_assistant_id } })
  })

  test('is none where nobody of the account took its calls', async () => {
    const [ann, bea, number] = [await make(), await make(), await bought()]
    await lead(number, ann.assistant_id)
    await leadOutside(number, (await rig.outside.assistants.create({ name: 'Stranger' })).id)
    expect(await lead(number, bea.assistant_id)).toMatchObject({ undo: null })
  })
})
