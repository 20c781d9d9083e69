import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string, body: Body = {}) => rig.data('POST', '/assistants', { name, ...body })
const stranger = async () => (await rig.outside.assistants.create({ name: 'Stranger' })).id
const modelOf = (record: Body) => record.model as Body

/** What was done before the request meets what is kept. */
const meetings = ['at once', 'after another save', 'after theirs']

describe('a number that leads outside the account on the platform', () => {
  const cases = ['target', 'none'].flatMap((record) =>
    meetings.flatMap((before) => ['PUT', 'PUT all', 'ours'].map((how) => [record, before, how] as const)),
  )

  test.each(cases)('record with %s, %s: leads where %s says', async (record, before, how) => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    const { id, voice_phone_number_id: liveId } = await rig.data('POST', '/phone-numbers', {
      phone_number: offer?.phone_number,
    })
    const put = (body: Body) => rig.data('PUT', `/phone-numbers/${id}`, body)
    const keep = (side: string) => rig.data('POST', `/phone-numbers/${id}/reconcile`, { keep: side })
    const live = async () => (await rig.outside.phoneNumbers.get(String(liveId))) as unknown as Body
    const target = record === 'target' ? (await make('Ann')).voice_assistant_id : null
    await put({ voice_assistant_id: target })
    const outside = await stranger()
    await rig.outside.phoneNumbers.update(String(liveId), { provider: 'twilio', assistantId: outside })
    if (before === 'after another save') await put({ name: 'Desk' })
    if (before === 'after theirs') await keep('theirs')
    if (before !== 'at once') expect(await live()).toMatchObject({ assistantId: outside })
    if (how === 'PUT') await put({ voice_assistant_id: target })
    else if (how === 'PUT all') await put(await rig.data('GET', `/phone-numbers/${id}`))
    else await keep('ours')
    expect((await live()).assistantId ?? null).toBe(target)
    expect(await rig.data('GET', `/phone-numbers/${id}`)).toMatchObject({ voice_assistant_id: target })
    expect(await rig.sweep()).toEqual([])
  })

  test('leads to the workflow that a save names, and nowhere else', async () => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
    const liveId = String(number.voice_phone_number_id)
    await rig.outside.phoneNumbers.update(liveId, { provider: 'twilio', assistantId: await stranger() })
    await rig.data('PUT', `/phone-numbers/${number.id}`, { voice_workflow_id: 'flow' })
    const live = (await rig.outside.phoneNumbers.get(liveId)) as unknown as Body
    expect([live.workflowId, live.assistantId ?? null]).toEqual(['flow', null])
    expect(await rig.sweep()).toEqual([])
  })
})

describe('a number that somebody led elsewhere before it is led to an assistant', () => {
  const buy = async () => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    return rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
  }
  const targets = ({ assistantId, squadId, workflowId }: Body) => [assistantId, squadId, workflowId].filter(Boolean)
  const lead = (number: Body, to: Body) =>
    rig.outside.phoneNumbers.update(String(number.voice_phone_number_id), { provider: 'twilio', ...to })
  const live = (number: Body) => rig.outside.phoneNumbers.get(String(number.voice_phone_number_id))
  const squad = async () => {
    const { id } = await rig.outside.squads.create({ name: 'Theirs', members: [{ assistantId: await stranger() }] })
    return { squadId: id }
  }
  const ways: [to: string, () => Promise<Body>][] = [
    ['a squad', squad],
    ['a workflow', async () => ({ workflowId: 'flow' })],
    ['an assistant', async () => ({ assistantId: await stranger() })],
  ]

  test.each(ways)('leads to the assistant that is made with it alone, not to %s besides', async (_to, where) => {
    const number = await buy()
    await lead(number, await where())
    const made = await make('Ann', { selected_phone_number: number.phone_number })
    expect(targets((await live(number)) as unknown as Body)).toEqual([made.voice_assistant_id])
    expect(await rig.data('GET', `/phone-numbers/${number.id}`)).toMatchObject({
      voice_assistant_id: made.voice_assistant_id,
      voice_squad_id: null,
      voice_workflow_id: null,
    })
    expect(await rig.sweep()).toEqual([])
  })
})

describe('a squad whose members somebody put others in the place of', () => {
  test.each(meetings.flatMap((before) => ['PUT', 'ours'].map((how) => [before, how] as const)))(
    '%s: has those that %s says',
    async (before, how) => {
      const ann = await make('Ann')
      const body = { name: 'Team', members: [{ assistantId: ann.assistant_id }] }
      const draft = await rig.data('POST', '/squads', body)
      const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
      const keep = (side: string) => rig.data('POST', `/squads/${id}/reconcile`, { keep: side })
      const members = [{ assistantId: await stranger() }]
      await rig.outside.squads.update(String(id), { members } as never)
      // Every save of a squad names its members.
      if (before !== 'at once') await keep('theirs')
      if (how === 'PUT') await rig.data('PUT', `/squads/${id}`, body)
      else await keep('ours')
      const { members: now } = await rig.outside.squads.get(String(id))
      expect(now.map(({ assistantId }) => assistantId)).toEqual([ann.voice_assistant_id])
      expect(await rig.sweep()).toEqual([])
    },
  )
})

const prompt = (content: string) => ({ model: { messages: [{ role: 'system', content }] } })
const placeholder = 'I am {{assistant_name}}'
/** A field as the record says it, and as somebody has it outside in words that rendering would replace. */
const texts: [field: string, ours: Body, outside: Body][] = [
  ['firstMessage', { firstMessage: 'Hi' }, { firstMessage: placeholder }],
  ['endCallMessage', { endCallMessage: 'Bye' }, { endCallMessage: placeholder }],
  ['voicemailMessage', { voicemailMessage: 'Later' }, { voicemailMessage: placeholder }],
  ['the prompt', prompt('Ours'), { model: { provider: 'openai', model: 'gpt-4o', ...prompt(placeholder).model } }],
]

describe('a text of an assistant that is kept on the platform', () => {
  const cases = texts.flatMap((text) =>
    meetings.flatMap((before) => ['PUT', 'PUT advanced', 'ours'].map((how) => [...text, before, how] as const)),
  )

  test.each(cases)('%s (%o, outside %o), %s: is as %s says', async (_field, ours, outside, before, how) => {
    const { assistant_id: ref, voice_assistant_id: liveId } = await make('Ann', ours)
    const path = `/assistants/${ref}`
    const keep = (side: string) => rig.data('POST', `${path}/reconcile`, { keep: side })
    const live = () => rig.outside.assistants.get(String(liveId))
    await rig.outside.assistants.update(String(liveId), outside as never)
    if (before === 'after another save') await rig.data('PUT', path, { name: 'Ann', maxDurationSeconds: 100 })
    if (before === 'after theirs') await keep('theirs')
    if (before !== 'at once') expect(await live()).toMatchObject(outside)
    if (how === 'ours') await keep('ours')
    else await rig.data('PUT', how === 'PUT' ? path : `${path}/advanced`, { name: 'Ann', ...ours })
    expect(await live()).toMatchObject(ours)
    expect(await rig.sweep()).toEqual([])
  })

  test.each(texts)('%s stays (%o, outside %o) with a save that does not name it', async (_field, ours, outside) => {
    const { assistant_id: ref, voice_assistant_id: liveId } = await make('Ann', ours)
    await rig.outside.assistants.update(String(liveId), outside as never)
    for (const name of ['Bob', 'Eve']) {
      await rig.data('PUT', `/assistants/${ref}`, { name })
      expect(await rig.outside.assistants.get(String(liveId))).toMatchObject({ name, ...outside })
    }
    const { first_message, end_call_message } = await rig.data('GET', `/assistants/${ref}`)
    const rendered = { firstMessage: first_message, endCallMessage: end_call_message }
    await rig.data('PUT', `/assistants/${ref}`, { name: 'Ann', ...rendered })
    expect(await rig.outside.assistants.get(String(liveId))).toMatchObject(outside)
    expect(await rig.sweep()).toEqual([])
  })
})

test.each(['', '/advanced'])("a template's greeting is set back by the form as it was read before: %s", async (at) => {
  const template = { name: 'Clinic', prompt: 'You are kind.', first_message: 'Welcome to {{company}}!' }
  const { id } = await rig.data('POST', '/admin/prompt-templates', template, await rig.operator())
  const made = await make('Ann', { template_id: id, variableValues: { company: 'Acme' } })
  const path = `/assistants/${made.assistant_id}`
  const { first_message: firstMessage } = await rig.data('GET', `${path}${at}`)
  const liveId = String(made.voice_assistant_id)
  await rig.outside.assistants.update(liveId, { firstMessage: placeholder })
  const saved = await rig.data('PUT', `${path}${at}`, { name: 'Ann', firstMessage })
  expect(saved).toMatchObject({ first_message: 'Welcome to Acme!', first_message_raw: 'Welcome to {{company}}!' })
  expect(await rig.outside.assistants.get(liveId)).toMatchObject({ firstMessage: 'Welcome to Acme!' })
  expect(await rig.sweep()).toEqual([])
})

describe('a tool that somebody attached to a live assistant', () => {
  const tool = async (label: string) => {
    const entry = { label, description: 'Looks it up.', type: 'function', scope: 'global' }
    return String((await rig.data('POST', '/admin/tools', entry, await rig.operator())).id)
  }

  test.each([
    ['beside one of ours', true, 'at once'],
    ['beside one of ours', true, 'after another save'],
    ['alone', false, 'at once'],
    ['alone', false, 'after another save'],
  ])('%s is taken away by a save that does not name it', async (_what, hasOwn, before) => {
    const own = hasOwn ? [await tool('mine')] : []
    const { id: unknown } = await rig.outside.tools.create({ type: 'function', function: { name: 'unknown' } } as never)
    const { assistant_id: ref, voice_assistant_id: liveId } = await make(
      'Ann',
      hasOwn ? { model: { toolIds: own } } : {},
    )
    const path = `/assistants/${ref}`
    const live = async () => (await rig.outside.assistants.get(String(liveId))) as unknown as Body
    const model = { ...modelOf(await live()), toolIds: [...own, unknown] }
    await rig.outside.assistants.update(String(liveId), { model } as never)
    if (before !== 'at once') {
      const saved = await rig.data('PUT', path, { name: 'Bob' })
      expect(modelOf(saved).toolIds).toEqual([...own, unknown])
      expect(modelOf(await rig.data('PUT', path, { name: 'Bob', model: saved.model })).toolIds).toEqual([
        ...own,
        unknown,
      ])
    }
    const taken = await rig.data('PUT', path, { name: 'Bob', model: { toolIds: own } })
    expect(modelOf(taken).toolIds).toEqual(own)
    expect(modelOf(await live()).toolIds ?? []).toEqual(own)
    expect(await rig.sweep()).toEqual([])
  })
})
