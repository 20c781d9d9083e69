import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../admin/caller.ts'
import { createRig, fillLayers, type Layers, type Rig } from '../builder/rig.ts'

type Json = Record<string, unknown>
interface Message {
  role: string
  content: string
}

let rig: Rig
let layers: Layers
let user: Caller
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
  user = await rig.caller()
})

const system = (content: string) => ({ role: 'system', content })
const talk = { role: 'user', content: 'Hello' }
const more = { role: 'assistant', content: 'Good day' }
const variables = { metadata: { company_name: 'Smile' }, variable_values: { city: 'Austin' } }
const warm = 'Be warm, Desk.'

async function make(path: string, body: object) {
  const made = await user.send('POST', path, { name: 'Desk', ...body })
  expect(made.status).toBe(201)
  const id = String(made.body.data.assistant_id)
  const liveId = String(made.body.data.voice_assistant_id)
  const send = (method: string, at: string, sent?: object) => user.send(method, `${at}/${id}`, sent)
  return {
    send,
    put: (model: object, at = '/assistants') => send('PUT', at, { name: 'Desk', model }),
    async messages(): Promise<{ record: Message[]; core: Message[]; calls: Message[] }> {
      const { data } = (await send('GET', '/assistants')).body as { data: { model: Json; coreData: { model: Json } } }
      const live = await rig.app.services.platform.assistants.get(liveId)
      return {
        record: data.model.messages as Message[],
        core: data.coreData.model.messages as Message[],
        calls: live.model?.messages as Message[],
      }
    },
    async newest() {
      const { data } = (await user.send('GET', `/assistants/${id}/update-log`)).body as unknown as { data: Json[] }
      return data[0]
    },
  }
}

const industry = () => ({ ...variables, industry_template_id: layers.industry })
const layered = system('Book for Smile in Austin.')

describe('messages that an update sends to an assistant with layers', () => {
  const cases: [name: string, body: () => object, sent: object, shown: Message[]][] = [
    [
      'a prompt stands above that of the layers',
      industry,
      { messages: [system('Mine'), talk] },
      [system('Mine'), talk],
    ],
    ['other messages come after that of the layers', industry, { messages: [talk] }, [layered, talk]],
    ['the prompt as it is shown stays that of the layers', industry, { messages: [layered, talk] }, [layered, talk]],
    [
      'a prompt replaces one that the builder was told',
      () => ({ ...industry(), system_prompt: 'Told' }),
      { messages: [system('Mine')] },
      [system('Mine')],
    ],
    [
      'null lets the layers speak again',
      () => ({ ...industry(), system_prompt: 'Told' }),
      { messages: null },
      [layered],
    ],
    ['an empty prompt is none', industry, { messages: [system(''), talk] }, [talk]],
    [
      "the template's prompt stands",
      () => ({ ...variables, prompt_template_id: layers.template }),
      {
        messages: [system('Mine'), talk],
      },
      [system('Greet in Austin.'), talk],
    ],
    [
      'a prompt without any of the layers',
      () => ({ base_config_id: layers.other }),
      { messages: [system('Mine'), talk] },
      [system('Mine'), talk],
    ],
    [
      "the personality's prompt stays at the end, once",
      () => ({ ...industry(), personality_id: layers.personality }),
      { messages: [system(`Mine\n\n${warm}`), talk] },
      [system(`Mine\n\n${warm}`), talk],
    ],
    [
      "the personality's prompt alone",
      () => ({ ...industry(), personality_id: layers.personality }),
      { messages: [system(warm)] },
      [system(warm)],
    ],
  ]
  test.each(cases)('%s', async (_name, body, sent, shown) => {
    const assistant = await make('/v2/assistants', body())
    expect((await assistant.put(sent)).status).toBe(200)
    const same = { record: shown, core: shown, calls: shown }
    expect(await assistant.messages()).toEqual(same)
    expect((await assistant.send('PUT', '/v2/assistants', {})).status).toBe(200)
    expect(await assistant.messages()).toEqual(same)
    expect((await assistant.put({ messages: shown })).status).toBe(200)
    expect(await assistant.messages()).toEqual(same)
  })

  test('the history tells of the prompt that calls use, and of nothing that they do not', async () => {
    const assistant = await make('/v2/assistants', industry())
    await assistant.put({ messages: [system('Mine {{city}}')] })
    const told = await assistant.newest()
    expect(told).toMatchObject({
      changes: [
        { path: 'system_prompt', from: null, to: 'Mine {{city}}' },
        { path: 'model.messages.0.content', from: 'Book for {{company_name}} in {{city}}.', to: 'Mine {{city}}' },
      ],
      summary: expect.stringMatching(/^Set the system prompt to "Mine \{\{city\}\}"\./),
    })
    expect((await assistant.send('PUT', '/v2/assistants', {})).status).toBe(200)
    expect(await assistant.newest()).toEqual(told)
    const templated = await make('/assistants', { template_id: layers.template })
    await templated.put({ messages: [system('Mine')] })
    expect(await templated.newest()).toMatchObject({ action: 'created' })
  })
})

describe('messages of an assistant without layers', () => {
  test('are all kept, whatever they repeat', async () => {
    const sent = [system('Same'), { role: 'user', content: 'Same' }, system('Second'), more]
    const assistant = await make('/assistants', { model: { messages: sent } })
    expect(await assistant.messages()).toEqual({ record: sent, core: sent, calls: sent })
  })

  test('an empty prompt that the builder is told takes an earlier one out of the record, too', async () => {
    const assistant = await make('/v2/assistants', industry())
    await assistant.put({ messages: [system('Mine'), talk] })
    await assistant.send('PUT', '/v2/assistants', { system_prompt: '' })
    expect(await assistant.messages()).toEqual({ record: [talk], core: [talk], calls: [talk] })
  })
})
