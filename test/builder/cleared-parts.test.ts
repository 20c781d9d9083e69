import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../admin/caller.ts'
import { builtAssistant } from './built-assistant.ts'
import { createRig, fillLayers, type Layers, type Rig } from './rig.ts'

let rig: Rig
let layers: Layers
let user: Caller
const catalogue = { prompting: 0, bare: 0, unset: 0 }
const prompt = { role: 'system', content: 'Base prompt.' }
const layeredTalk = { role: 'user', content: 'Layered' }
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
  user = await rig.caller()
  catalogue.prompting = await rig.entry('base-configs', {
    name: 'Prompting',
    config: { model: { provider: 'openai', model: 'gpt-4.1', messages: [prompt, layeredTalk] } },
  })
  catalogue.bare = await rig.entry('base-configs', {
    name: 'Bare',
    config: { transcriber: { language: 'de' }, voice: { speed: 1.2 } },
  })
  catalogue.unset = await rig.entry('base-configs', {
    name: 'Unset',
    config: {
      model: { provider: null, maxTokens: 99 },
      transcriber: { provider: null, language: 'de' },
      voice: { provider: null, voiceId: 'Rohan', speed: 1.2 },
    },
  })
})

const built = (body: object) => builtAssistant(rig, user, body)
const base = () => ({ base_config_id: layers.base })
const own = { role: 'system', content: 'Own.' }
const talk = { role: 'user', content: 'Hello' }

describe.each(['', '/advanced'])('null for a part of an assistant that v2 built, by PUT /assistants/{id}%s', (at) => {
  const cases: [
    name: string,
    body: () => object,
    sent: object,
    part: 'model' | 'voice' | 'transcriber',
    left: object,
  ][] = [
    ['a transcriber', base, { transcriber: null }, 'transcriber', { provider: 'deepgram', model: 'nova-3' }],
    ['a model', base, { model: null }, 'model', { provider: 'openai', model: 'gpt-4.1' }],
    ['a voice', base, { voice: null }, 'voice', { provider: '11labs', voiceId: 'sarah' }],
    [
      'a language without a provider',
      () => ({ base_config_id: catalogue.bare }),
      { transcriber: null },
      'transcriber',
      {},
    ],
    ['a speed without a provider', () => ({ base_config_id: catalogue.bare }), { voice: null }, 'voice', {}],
    ['a speed alone', () => ({ base_config_id: catalogue.bare }), { voice: { speed: null } }, 'voice', {}],
    [
      'a language under no provider',
      () => ({ base_config_id: catalogue.unset }),
      { transcriber: null },
      'transcriber',
      {},
    ],
    ['a maximum under no provider', () => ({ base_config_id: catalogue.unset }), { model: null }, 'model', {}],
    [
      'a speed under no provider',
      () => ({ base_config_id: catalogue.unset }),
      { voice: null },
      'voice',
      { provider: 'vapi', voiceId: 'Rohan' },
    ],
    [
      'a personality keeps its voice',
      () => ({ ...base(), personality_id: layers.personality }),
      { voice: null },
      'voice',
      { provider: 'openai', voiceId: 'onyx' },
    ],
  ]
  test.each(cases)(
    '%s: takes away what layers set, and nothing that is selected',
    async (_name, body, sent, part, left) => {
      const assistant = await built(body())
      const shown = { transcriber: 'language', model: 'maxTokens', voice: 'speed' }[part]
      expect((await assistant.record())[part]).toHaveProperty(shown)
      for (const path of [at, at, '/v2', '/v2']) {
        if (path === '/v2') await assistant.rebuild({})
        else expect((await assistant.edit(path, sent)).status).toBe(200)
        expect((await assistant.record())[part]).not.toHaveProperty(shown)
        const live = await assistant.live()
        expect(live[part]).not.toHaveProperty(shown)
        expect(live[part]).toMatchObject(left)
        expect(await assistant.entries()).toHaveLength(2)
      }
      const [entry] = await assistant.entries()
      // A part that has nothing left to show is told as a whole.
      expect([[part], [`${part}.${shown}`]]).toContainEqual(entry?.changes.map(({ path }) => path))
      await assistant.rebuild({ base_config_id: layers.other, layer2_key: layers.key })
      expect((await assistant.record())[part]).not.toHaveProperty(shown)
    },
  )

  test('a voice that was named becomes that of the layers again', async () => {
    const assistant = await built(base())
    await assistant.edit(at, { voice: { voiceId: 'nova', speed: 1.5 } })
    await assistant.edit(at, { voice: null })
    expect((await assistant.record()).voice).toEqual({ voiceId: 'sarah' })
    expect((await assistant.live()).voice).toMatchObject({ provider: '11labs', voiceId: 'sarah' })
  })

  const prompts: [name: string, body: () => object, edit: object, shown: object[], left: object[]][] = [
    ['the prompt of an industry', () => ({ industry_template_id: layers.industry }), {}, [], []],
    ['the prompt of a template', () => ({ prompt_template_id: layers.bare, ...base() }), {}, [], []],
    [
      'the prompt of a base config',
      () => ({ base_config_id: catalogue.prompting }),
      {},
      [prompt, layeredTalk],
      [prompt],
    ],
    [
      'below one that the builder was told',
      () => ({ base_config_id: catalogue.prompting, system_prompt: 'Told' }),
      {},
      [{ role: 'system', content: 'Told' }, layeredTalk],
      [prompt],
    ],
    [
      'below one of this editor',
      () => ({ base_config_id: catalogue.prompting }),
      { messages: [own, talk] },
      [own, talk],
      [prompt],
    ],
  ]
  test.each(prompts)('messages: %s speaks, and nothing else', async (_name, body, model, shown, left) => {
    for (const nothing of [{ messages: null }, null]) {
      const assistant = await built(body())
      if (Object.keys(model).length > 0) await assistant.edit(at, { model })
      const before = await assistant.messages()
      if (shown.length > 0) expect(before).toEqual(shown)
      const number = (await assistant.entries()).length
      const isChanged = shown.length > 0
      for (const path of [at, '/v2', at]) {
        if (path === '/v2') await assistant.rebuild({})
        else expect((await assistant.edit(path, { model: nothing })).status).toBe(200)
        expect(await assistant.messages()).toEqual(isChanged ? left : before)
        const told = (await assistant.entries()).slice(0, -number).flatMap(({ changes }) => changes)
        const ofMessages = told.filter(({ path: changed }) => /messages|system_prompt/.test(changed))
        expect(ofMessages.length > 0).toBe(isChanged)
      }
      const saved = (await assistant.entries()).length - number
      if (nothing !== null) expect(saved).toBe(isChanged ? 1 : 0)
    }
  })

  test('a template that brings a greeting: null takes it away, on both sides', async () => {
    const assistant = await built({ prompt_template_id: layers.template })
    await assistant.edit(at, { firstMessage: null })
    for (const _time of [1, 2]) {
      expect(await assistant.record()).toMatchObject({ first_message: '', first_message_raw: '' })
      expect(await assistant.live()).toMatchObject({ firstMessage: '' })
      expect(await assistant.entries()).toHaveLength(2)
      await assistant.rebuild({})
    }
  })
})
