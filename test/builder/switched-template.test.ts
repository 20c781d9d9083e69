import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../admin/caller.ts'
import { builtAssistant } from './built-assistant.ts'
import { createRig, fillLayers, type Layers, type Rig } from './rig.ts'

let rig: Rig
let layers: Layers
let user: Caller
const made = { prompting: 0, first: 0, second: 0 }
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
  user = await rig.caller()
  made.prompting = await rig.entry('base-configs', {
    name: 'Prompting',
    config: {
      model: { provider: 'openai', model: 'gpt-4.1', messages: [{ role: 'system', content: 'Base prompt.' }] },
      firstMessage: 'Base hello',
      endCallMessage: 'Base bye',
    },
  })
  for (const name of ['first', 'second'] as const) {
    made[name] = await rig.entry('prompt-templates', {
      name,
      prompt: `Prompt of ${name}.`,
      first_message: `Hello of ${name}`,
      end_call_message: `Bye of ${name}`,
    })
  }
})

const built = (body: object) => builtAssistant(rig, user, { base_config_id: made.prompting, ...body })
const system = (content: string) => ({ role: 'system', content })
const talk = { role: 'user', content: 'Hello' }

interface Shown {
  prompt: string
  hello: string
  bye: string
  others?: object[]
}
const base: Shown = { prompt: 'Base prompt.', hello: 'Base hello', bye: 'Base bye' }
const of = (name: string): Shown => ({ prompt: `Prompt of ${name}.`, hello: `Hello of ${name}`, bye: `Bye of ${name}` })

const cases: [name: string, body: () => object, before: object | undefined, sent: () => object, shown: Shown][] = [
  ['detach', () => ({ prompt_template_id: made.first }), undefined, () => ({ template_id: null }), base],
  ['attach', () => ({}), undefined, () => ({ template_id: made.first }), of('first')],
  ['switch', () => ({ prompt_template_id: made.first }), undefined, () => ({ template_id: made.second }), of('second')],
  [
    'detach from an industry',
    () => ({ prompt_template_id: made.first, industry_template_id: layers.industry }),
    { metadata: { company_name: 'Smile' }, variableValues: { city: 'Austin' } },
    () => ({ template_id: null }),
    { ...base, prompt: 'Book for Smile in Austin.' },
  ],
  [
    'switch to one without texts',
    () => ({ prompt_template_id: made.first }),
    { variableValues: { city: 'Austin' } },
    () => ({ template_id: layers.bare }),
    { ...base, prompt: 'Plain Austin.' },
  ],
  [
    'texts that an editor set stay',
    () => ({ prompt_template_id: made.first }),
    { firstMessage: 'Mine', endCallMessage: null, model: { messages: [talk] } },
    () => ({ template_id: null }),
    { ...base, hello: 'Mine', bye: '', others: [talk] },
  ],
  [
    'texts that an editor took away stay away under a template',
    () => ({}),
    { firstMessage: null, endCallMessage: null },
    () => ({ template_id: made.first }),
    { ...of('first'), hello: '', bye: '' },
  ],
  [
    'texts that the builder was told stay',
    () => ({ prompt_template_id: made.first, system_prompt: 'Told', first_message: 'Told hello' }),
    undefined,
    () => ({ template_id: made.second }),
    { ...of('second'), prompt: 'Told', hello: 'Told hello' },
  ],
  [
    'texts that are said with it are its own, as they were shown or not',
    () => ({ prompt_template_id: made.first }),
    undefined,
    () => ({
      template_id: null,
      firstMessage: 'Hello of first',
      endCallMessage: 'New bye',
      model: { messages: [system('Prompt of first.'), talk] },
    }),
    { prompt: 'Prompt of first.', hello: 'Hello of first', bye: 'New bye', others: [talk] },
  ],
  [
    'texts that are cleared with it stay away',
    () => ({}),
    undefined,
    () => ({ template_id: made.first, firstMessage: null }),
    { ...of('first'), hello: '' },
  ],
]
const editors = [
  ['regular', ''],
  ['advanced', '/advanced'],
] as const

describe.each(editors)('a template that the %s editor names on an assistant that v2 built', (_name, at) => {
  test.each(cases)('%s', async (_case, body, before, sent, { prompt, hello, bye, others = [] }) => {
    const assistant = await built(body())
    if (before) await assistant.edit(at, before)
    const number = (await assistant.entries()).length
    const shown = {
      first_message: hello,
      first_message_raw: hello,
      end_call_message: bye,
      coreData: { firstMessage: hello, endCallMessage: bye },
    }
    for (const again of [() => assistant.edit(at, sent()), () => assistant.edit(at, {}), () => assistant.rebuild({})]) {
      expect((await again()).status).toBe(200)
      expect(await assistant.record()).toMatchObject(shown)
      expect(await assistant.live()).toMatchObject({ firstMessage: hello, endCallMessage: bye })
      expect(await assistant.messages()).toEqual([system(prompt), ...others])
      expect(await assistant.entries()).toHaveLength(number + 1)
    }
    await assistant.settled()
  })

  test('the history tells what it was and became, and goes back', async () => {
    const assistant = await built({ prompt_template_id: made.first })
    await assistant.edit(at, { template_id: null })
    const [entry, created] = await assistant.entries()
    const told = Object.fromEntries(entry?.changes.map(({ path, from, to }) => [path, [from, to]]) ?? [])
    expect(told).toMatchObject({
      firstMessage: ['Hello of first', 'Base hello'],
      endCallMessage: ['Bye of first', 'Base bye'],
    })
    await user.send('POST', `/assistants/${assistant.id}/update-log/${created?.id}/restore`)
    expect(await assistant.record()).toMatchObject({ template_id: made.first, first_message: 'Hello of first' })
    await assistant.settled()
  })

  test('one that does not exist is refused', async () => {
    const assistant = await built({})
    expect(await assistant.edit(at, { template_id: 2_147_483_647 })).toMatchObject({
      status: 422,
      body: { errors: { template_id: expect.any(Array) } },
    })
  })
})

test("a rebuild takes a template's prompt away beside other messages, too", async () => {
  const assistant = await built({ prompt_template_id: made.first })
  await assistant.edit('', { model: { messages: [talk] } })
  await assistant.rebuild({ prompt_template_id: null })
  expect(await assistant.messages()).toEqual([system('Base prompt.'), talk])
  await assistant.rebuild({ base_config_id: layers.base })
  expect(await assistant.messages()).toEqual([talk])
  await assistant.settled()
})
