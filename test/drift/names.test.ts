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

  test.each(cases)('is named by %s as it was, %s (greeting %s)', async (how, before, firstMessage) => {
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
