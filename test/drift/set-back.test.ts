import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const pathOf = (record: Body) => `/assistants/${record.assistant_id}`
const assistant = async (id: unknown) => (await rig.outside.assistants.get(String(id))) as unknown as Body
const edit = (record: Body, body: object) => rig.outside.assistants.update(String(record.voice_assistant_id), body)

/** Both sides agree now, and the next save finds nothing. */
async function agreed(): Promise<void> {
  expect(await rig.sweep()).toEqual([])
}

const prompt = (content: string) => ({ model: { messages: [{ role: 'system', content }] } })
const livePrompt = (content: string) => ({ model: { provider: 'openai', model: 'gpt-4o', ...prompt(content).model } })

/** A field as it is first, and as somebody has it outside, each in both forms. */
const fields: [field: string, sent: Body, shown: Body, outside: Body, before: Body][] = [
  ['firstMessage', { firstMessage: 'Hi' }, { first_message: 'Hi' }, { firstMessage: 'Hello' }, { firstMessage: 'Hi' }],
  [
    'voicemailMessage',
    { voicemailMessage: 'Later' },
    { voicemail_message: 'Later' },
    { voicemailMessage: 'Never' },
    { voicemailMessage: 'Later' },
  ],
  [
    'an empty voicemailMessage',
    { voicemailMessage: '' },
    { voicemail_message: '' },
    { voicemailMessage: 'Never' },
    { voicemailMessage: '' },
  ],
  [
    'maxDurationSeconds',
    { maxDurationSeconds: 100 },
    { max_duration_seconds: 100 },
    { maxDurationSeconds: 200 },
    { maxDurationSeconds: 100 },
  ],
  ['the prompt', prompt('Ours'), prompt('Ours'), livePrompt('Outside'), livePrompt('Ours')],
]

describe('a save of an assistant that sets what was changed outside back', () => {
  const ways = ['', '/advanced'].flatMap((way) => [true, false].map((swept) => [way, swept] as const))
  const cases = fields.flatMap((field) => ways.map((way) => [...field, ...way] as const))

  test.each(cases)('%s: its value is on both sides', async (_, sent, shown, outside, before, way, swept) => {
    const body = { name: 'Ann', ...sent }
    const record = await rig.data('POST', '/assistants', body)
    await edit(record, outside)
    if (swept) await rig.sweep()
    const saved = await rig.data('PUT', pathOf(record) + way, body)
    expect(saved).toMatchObject(shown)
    expect(await assistant(record.voice_assistant_id)).toMatchObject(before)
    await agreed()
    const [second, first, created] = await rig.data<Body[]>('GET', `${pathOf(record)}/update-log`)
    expect([second?.source, first?.source, created?.action]).toEqual([
      way === '' ? 'regular' : 'advanced',
      'platform',
      'created',
    ])
    await rig.data('POST', `${pathOf(record)}/update-log/${first?.id}/restore`)
    expect(await assistant(record.voice_assistant_id)).toMatchObject(outside)
  })

  test("the form as it was read before: the greeting stays the template's", async () => {
    const operator = await rig.operator()
    const template = { name: 'Clinic', prompt: 'You work for {{company}}.', first_message: 'Welcome to {{company}}!' }
    const { id } = await rig.data('POST', '/admin/prompt-templates', template, operator)
    const made = { name: 'Ann', template_id: id, variableValues: { company: 'Acme' } }
    const record = await rig.data('POST', '/assistants', made)
    const form = await rig.data('GET', `${pathOf(record)}/advanced`)
    await edit(record, { firstMessage: 'Outside greeting' })
    const put = (body: Body) => rig.data('PUT', `${pathOf(record)}/advanced`, { name: 'Ann', ...body })
    const saved = await put({ firstMessage: form.first_message })
    expect(saved).toMatchObject({ first_message: 'Welcome to Acme!', first_message_raw: 'Welcome to {{company}}!' })
    expect(await assistant(record.voice_assistant_id)).toMatchObject({ firstMessage: 'Welcome to Acme!' })
    await agreed()
    const other = { ...template, first_message: 'Hello from {{company}}!' }
    await rig.data('PUT', `/admin/prompt-templates/${id}`, other, operator)
    await put({ variableValues: { company: 'Bolt' } })
    expect(await assistant(record.voice_assistant_id)).toMatchObject({ firstMessage: 'Hello from Bolt!' })
    await agreed()
  })
})

describe("the form of an assistant as it was read before the template's prompt was changed outside", () => {
  const template = { name: 'Clinic', prompt: 'You work for {{company}}.', first_message: 'Welcome to {{company}}!' }
  const made = async (more: Body = {}) => {
    const operator = await rig.operator()
    const { id } = await rig.data('POST', '/admin/prompt-templates', template, operator)
    const record = await rig.data('POST', '/assistants', {
      name: 'Ann',
      template_id: id,
      variableValues: { company: 'Acme' },
      ...more,
    })
    const rename = (first_message: string) =>
      rig.data('PUT', `/admin/prompt-templates/${id}`, { ...template, first_message }, operator)
    return { record, id, rename }
  }
  const shown = { first_message: 'Welcome to Acme!', first_message_raw: 'Welcome to {{company}}!' }

  test.each(['', '/advanced'])("%s: prompt and greeting are the template's again", async (way) => {
    const { record, id, rename } = await made()
    const { first_message: firstMessage, model } = await rig.data('GET', pathOf(record) + way)
    await edit(record, livePrompt('Outside'))
    const form = { name: 'Ann', template_id: id, firstMessage, model, personality_id: null }
    const saved = await rig.data('PUT', pathOf(record) + way, form)
    expect(saved).toMatchObject({ ...shown, template_id: id, ...prompt('You work for Acme.') })
    expect(await assistant(record.voice_assistant_id)).toMatchObject({
      firstMessage: 'Welcome to Acme!',
      ...prompt('You work for Acme.'),
    })
    await agreed()
    await rename('Hello from {{company}}!')
    await rig.data('PUT', pathOf(record), { name: 'Ann', variableValues: { company: 'Bolt' } })
    expect(await assistant(record.voice_assistant_id)).toMatchObject({ firstMessage: 'Hello from Bolt!' })
    await agreed()
  })

  test('a greeting that was changed outside as well stays where the form leaves it out, and messages beside the prompt', async () => {
    const { record, id } = await made()
    const messages = [...livePrompt('Outside').model.messages, { role: 'assistant', content: 'Well?' }]
    await edit(record, { firstMessage: 'Outside greeting', model: { ...livePrompt('').model, messages } })
    const saved = await rig.data('PUT', pathOf(record), { name: 'Ann', template_id: id })
    expect(saved).toMatchObject({ template_id: id, first_message: 'Outside greeting' })
    expect(await assistant(record.voice_assistant_id)).toMatchObject({
      firstMessage: 'Outside greeting',
      model: {
        messages: [
          { role: 'system', content: 'You work for Acme.' },
          { role: 'assistant', content: 'Well?' },
        ],
      },
    })
    await agreed()
  })

  test("a form without the template's id keeps the prompt of outside, which is the assistant's own", async () => {
    const { record } = await made()
    await edit(record, livePrompt('Outside'))
    const saved = await rig.data('PUT', pathOf(record), { name: 'Bob' })
    expect(saved).toMatchObject({ template_id: null, first_message: 'Welcome to Acme!', ...prompt('Outside') })
    await agreed()
  })
})

test('a squad that is published with the name that it had before', async () => {
  const { assistant_id: assistantId } = await rig.data('POST', '/assistants', { name: 'Ann' })
  const body = { name: 'Team', members: [{ assistantId }] }
  const draft = await rig.data('POST', '/squads', body)
  const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
  const { members } = await rig.outside.squads.get(String(id))
  await rig.outside.squads.update(String(id), { name: 'Crew', members } as never)
  expect(await rig.data('PUT', `/squads/${id}`, body)).toMatchObject({ name: 'Team' })
  expect(await rig.outside.squads.get(String(id))).toMatchObject({ name: 'Team' })
  await agreed()
})

test('a number that is saved with the name and the webhook that it had before', async () => {
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  const body = { name: 'Desk', server: { url: 'https://ours.example/hook' } }
  await rig.data('PUT', `/phone-numbers/${number.id}`, body)
  const liveId = String(number.voice_phone_number_id)
  const outside = { provider: 'twilio', name: 'Hall', server: { url: 'https://other.example/hook' } } as const
  await rig.outside.phoneNumbers.update(liveId, outside)
  expect(await rig.data('PUT', `/phone-numbers/${number.id}`, body)).toMatchObject(body)
  expect(await rig.outside.phoneNumbers.get(liveId)).toMatchObject(body)
  await agreed()
})

test('a tool that is saved with the description that it had before', async () => {
  const operator = await rig.operator()
  const server = { url: 'https://shop.example/orders' }
  const entry = { label: 'Find', description: 'Ours.', type: 'function', scope: 'global', definition: { server } }
  const { id } = await rig.data('POST', '/admin/tools', entry, operator)
  const changed = { function: { name: 'Find', description: 'Outside.' }, server: { ...server, timeoutSeconds: 7 } }
  await rig.outside.tools.update(String(id), changed as never)
  await rig.data('PUT', `/admin/tools/${id}`, entry, operator)
  const live = { function: { description: 'Ours.' }, server: { timeoutSeconds: 7 } }
  expect(await rig.outside.tools.get(String(id))).toMatchObject(live)
  await agreed()
})
