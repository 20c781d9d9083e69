import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const greeting = 'Hi {{assistant_name}} of {{company_name}}'
const metadata = { company_name: 'C' }
const says = { name: 'V', metadata }
/** A greeting in words that rendering would replace, so that no record says it. */
const strange = 'Yo {{assistant_name}}'

const make = (body: Body = { firstMessage: greeting }) => rig.data('POST', '/assistants', { ...says, ...body })

async function build() {
  const { id } = await rig.data('POST', '/admin/base-configs', { name: 'Base', config: {} }, await rig.operator())
  return rig.data('POST', '/v2/assistants', { ...says, base_config_id: id, first_message: greeting })
}

const liveOf = ({ voice_assistant_id: id }: Body) =>
  rig.outside.assistants.get(String(id)) as unknown as Promise<Body & { metadata: Body }>

/** Renames the live assistant and its company, with another greeting where one is given. */
async function rename(record: Body, firstMessage?: string, changed: Body = { name: 'Outside', company_name: 'OUT' }) {
  const { name, ...keys } = changed
  const { metadata } = await liveOf(record)
  const others = firstMessage === undefined ? {} : { firstMessage }
  const body = { name, metadata: { ...metadata, ...keys }, ...others }
  await rig.outside.assistants.update(String(record.voice_assistant_id), body as never)
}

/** The name's change in the history. */
const named = { path: 'name', from: 'V', to: 'Outside' }

const pathOf = ({ assistant_id: ref }: Body) => `/assistants/${ref}`
const keep = (record: Body, side: string) => rig.data('POST', `${pathOf(record)}/reconcile`, { keep: side })

/** What names both, by what it is called. */
const ways: Record<string, (record: Body) => Promise<unknown>> = {
  PUT: (record) => rig.data('PUT', pathOf(record), says),
  'PUT advanced': (record) => rig.data('PUT', `${pathOf(record)}/advanced`, says),
  'PUT v2': (record) => rig.data('PUT', `/v2${pathOf(record)}`, says),
  ours: (record) => keep(record, 'ours'),
}

describe('a live assistant that was renamed outside, with another company', () => {
  const cases = Object.keys(ways).flatMap((how) =>
    ['at once', 'after theirs'].flatMap((before) =>
      [undefined, strange].map((firstMessage) => [how, before, firstMessage] as const),
    ),
  )
  // Of what the record has taken on, `ours` says the same.
  const differing = cases.filter(([how, before, text]) => how !== 'ours' || before === 'at once' || text)

  test.each(differing)('is named by %s as it was, %s (greeting %s)', async (how, before, firstMessage) => {
    const record = how === 'PUT v2' ? await build() : await make()
    await rename(record, firstMessage)
    if (before === 'after theirs') await keep(record, 'theirs')
    expect(await liveOf(record)).toMatchObject({ name: 'Outside', metadata: { company_name: 'OUT' } })
    await ways[how]?.(record)
    const kept = how === 'ours' || firstMessage === undefined ? 'Hi V of C' : strange
    const live = { name: 'V', firstMessage: kept, metadata }
    expect(await liveOf(record)).toMatchObject(live)
    const shown = { name: 'V', first_message: kept, metadata, coreData: live }
    expect(await rig.data('GET', pathOf(record))).toMatchObject(shown)
    expect(await rig.sweep()).toEqual([])
  })

  test.each([
    ['null takes it away', { company_name: null }, [undefined, 9]],
    ['null takes all away', null, [undefined, undefined]],
    ['what it does not name stays', { location: 'Rome' }, ['OUT', 9]],
    ['so does what is beside a part that it names', { business_hours: { monday: '8' } }, ['OUT', 9]],
    ['a part is named by itself', { business_hours: { tuesday: '8' } }, ['OUT', '8']],
  ])('has the metadata that a save names: %s', async (_what, sent, [company, tuesday]) => {
    const hours = { monday: '8', tuesday: '8' }
    const text = 'Hi {{company_name}}'
    const record = await make({ firstMessage: text, metadata: { ...metadata, business_hours: hours } })
    // A record has hours as text.
    const outside = { name: 'V', company_name: 'OUT', business_hours: { monday: '8', tuesday: 9 } }
    await rename(record, 'Yo {{company_name}}', outside)
    await rig.data('PUT', pathOf(record), { name: 'V', metadata: sent })
    const { metadata: now } = await liveOf(record)
    expect([now.company_name, (now.business_hours as Body | undefined)?.tuesday]).toEqual([company, tuesday])
    expect(await rig.sweep()).toEqual([])
  })
})

describe("a name and a company that somebody changed outside become the record's own", () => {
  const taken = { name: 'Outside', metadata: { company_name: 'OUT' } }
  const rendered = 'Hi Outside of OUT'

  test.each([
    ['PUT', '', { name: 'Outside', maxDurationSeconds: 100 }],
    ['PUT advanced', '', { name: 'Outside', maxDurationSeconds: 100 }],
    ['PUT v2', '/v2', { type: 'production' }],
  ])('with %s, which renders texts with them', async (how, at, body) => {
    const record = how === 'PUT v2' ? await build() : await make()
    await rename(record)
    const path = `${at}${pathOf(record)}${how === 'PUT advanced' ? '/advanced' : ''}`
    expect(await rig.data('PUT', path, body)).toMatchObject({ ...taken, first_message: rendered, coreData: taken })
    expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: rendered })
    const [, platform] = await rig.data<Body[]>('GET', `${pathOf(record)}/update-log`)
    expect(platform).toMatchObject({ source: 'platform', changes: expect.arrayContaining([named]) })
    expect(await rig.sweep()).toEqual([])
  })

  test('with theirs, which leaves their texts to the next save', async () => {
    const record = await make()
    await rename(record)
    for (const side of ['theirs', 'theirs', 'ours']) {
      await keep(record, side)
      expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: 'Hi V of C' })
      const shown = { ...taken, first_message: 'Hi V of C', first_message_raw: greeting, coreData: taken }
      expect(await rig.data('GET', pathOf(record))).toMatchObject(shown)
      expect(await rig.sweep()).toEqual([])
    }
    await rig.data('PUT', pathOf(record), { name: 'Outside' })
    expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: rendered })
    expect(await rig.sweep()).toEqual([])
  })

  test.each<[what: string, changed: Body, greeting: string, raw: string]>([
    ['rendered from the name', { name: 'Outside' }, 'Hi Outside of C', greeting],
    ['as rendered from both', { name: 'Outside', company_name: 'OUT' }, rendered, rendered],
    ['of its own', { name: 'Outside', company_name: 'OUT' }, 'Hello', 'Hello'],
  ])('beside a greeting %s', async (_what, changed, firstMessage, raw) => {
    const record = await make()
    await rename(record, firstMessage, changed)
    const shown = { name: 'Outside', first_message: firstMessage, first_message_raw: raw }
    const saved = await keep(record, 'theirs')
    expect(saved).toMatchObject({ ...shown, metadata: { company_name: changed.company_name ?? 'C' } })
    expect(await liveOf(record)).toMatchObject({ name: 'Outside', firstMessage })
    expect(await rig.sweep()).toEqual([])
  })

  test.each(['theirs', 'a save'])('beside a text that is kept there, with %s', async (how) => {
    const record = await build()
    await rig.outside.assistants.update(String(record.voice_assistant_id), { firstMessage: strange })
    await keep(record, 'theirs')
    await rename(record)
    if (how === 'theirs') await keep(record, how)
    await rig.data('PUT', `/v2${pathOf(record)}`, { type: 'production' })
    expect(await rig.data('GET', pathOf(record))).toMatchObject({ ...taken, first_message: strange })
    expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: strange })
    expect(await rig.sweep()).toEqual([])
  })

  test("where a template's prompt is rendered from them", async () => {
    const template = { name: 'Clinic', prompt: 'I am {{assistant_name}}', first_message: greeting }
    const { id } = await rig.data('POST', '/admin/prompt-templates', template, await rig.operator())
    const record = await make({ template_id: id })
    await rename(record)
    const saved = await rig.data('PUT', pathOf(record), { name: 'Outside' })
    const messages = [{ role: 'system', content: 'I am Outside' }]
    expect(saved).toMatchObject({ ...taken, template_id: id, first_message: rendered, model: { messages } })
    expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: rendered, model: { messages } })
    expect(await rig.sweep()).toEqual([])
  })

  test('with recovery of a save that was cut short, which undoes that alone', async () => {
    const record = await make()
    await rename(record)
    rig.platform.faults.add({ method: 'PATCH', mode: 'drop_after' })
    rig.platform.faults.add({ method: 'PATCH', mode: 'drop_before', times: 2 })
    // The look before the save succeeds, the one after it does not.
    const look = { method: 'GET', path: /^\/assistant\// } as const
    rig.platform.faults.add({ ...look, mode: 'delay', ms: 0 }, { ...look, mode: 'status', status: 503, times: 3 })
    expect((await rig.send('PUT', pathOf(record), { name: 'Bob' })).status).toBe(500)
    rig.platform.faults.clear()
    await rig.settle()
    const texts = { first_message: 'Hi V of C', first_message_raw: greeting }
    expect(await rig.data('GET', pathOf(record))).toMatchObject({ ...taken, ...texts, coreData: taken })
    expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: 'Hi V of C' })
    await rig.data('PUT', pathOf(record), { name: 'Outside' })
    expect(await liveOf(record)).toMatchObject({ ...taken, firstMessage: rendered })
    expect(await rig.sweep()).toEqual([])
  })

  test('among many others', async () => {
    const record = await make()
    const others = Object.fromEntries(Array.from({ length: 150 }, (_, key) => [`k${key}`, 'v']))
    await rename(record, undefined, { name: 'Outside', company_name: 'OUT', ...others })
    const saved = await rig.data('PUT', pathOf(record), { name: 'Outside' })
    expect(saved).toMatchObject({ ...taken, first_message: rendered, coreData: { metadata: others } })
    expect(await rig.sweep()).toEqual([])
  })

  test('unless a text would be longer than it may be', async () => {
    const record = await make({ firstMessage: '{{company_name}}'.repeat(50) })
    const company = 'C'.repeat(250)
    await rename(record, undefined, { name: 'Outside', company_name: company })
    await keep(record, 'theirs')
    const shown = { name: 'Outside', metadata, coreData: { metadata: { company_name: company } } }
    expect(await rig.data('GET', pathOf(record))).toMatchObject(shown)
    await rig.data('PUT', pathOf(record), says)
    expect(await liveOf(record)).toMatchObject({ ...says, firstMessage: 'C'.repeat(50) })
    expect(await rig.sweep()).toEqual([])
  })
})

test('the texts that a rebuild names are set, over what is kept there', async () => {
  const record = await build()
  const named = { first_message: greeting, system_prompt: 'Be kind.' }
  await rig.data('PUT', `/v2${pathOf(record)}`, named)
  const { model } = await liveOf(record)
  const messages = [{ role: 'system', content: strange }]
  const outside = { firstMessage: strange, model: { ...(model as Body), messages } }
  await rig.outside.assistants.update(String(record.voice_assistant_id), outside as never)
  await rig.data('PUT', `/v2${pathOf(record)}`, { type: 'production' })
  expect(await liveOf(record)).toMatchObject({ firstMessage: strange, model: { messages } })
  await rig.data('PUT', `/v2${pathOf(record)}`, named)
  const ours = [{ role: 'system', content: 'Be kind.' }]
  expect(await liveOf(record)).toMatchObject({ firstMessage: 'Hi V of C', model: { messages: ours } })
  expect(await rig.sweep()).toEqual([])
})

test('a squad hands over to the name that its member has there after a save', async () => {
  const [entry, record] = [await make({ name: 'Entry' }), await make()]
  const members = [
    { assistantId: entry.assistant_id, assistantDestinations: [{ type: 'assistant', assistantName: 'V' }] },
    { assistantId: record.assistant_id },
  ]
  const body = { name: 'Team', members }
  const draft = await rig.data('POST', '/squads', body)
  const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
  await rename(record, strange)
  await rig.data('PUT', pathOf(record), { name: 'V' })
  await rig.data('PUT', `/squads/${id}`, body)
  const live = await rig.outside.squads.get(String(id))
  expect(JSON.stringify(live)).toContain(`"assistantName":"${(await liveOf(record)).name}"`)
  expect(await rig.sweep()).toEqual([])
})
