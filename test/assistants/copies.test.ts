import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import type { Caller } from '../admin/caller.ts'
import { createRig, type Rig } from '../builder/rig.ts'
import { storedAssistant } from '../support/rows/assistants.ts'
import { builtBack, writtenBack } from './written-back.ts'

type Json = Record<string, unknown>
type Kind = 'base-configs' | 'industry-templates' | 'layer2-presets' | 'personalities' | 'prompt-templates'

let rig: Rig
let user: Caller
let plain: number
beforeAll(async () => {
  rig = await createRig()
  plain = await rig.entry('base-configs', { name: 'Plain', config: {} })
})
beforeEach(async () => {
  user = await rig.caller()
})

const bodies: Record<Kind, () => Json> = {
  'base-configs': () => ({
    name: 'Warm',
    config: { model: { provider: 'openai', model: 'gpt-4o', temperature: 0.3 }, endCallMessage: 'Base bye' },
  }),
  'industry-templates': () => ({ name: 'Dental', base_config_id: plain, prompt: 'Book in {{city}}.' }),
  'layer2-presets': () => ({
    key: `k-${crypto.randomUUID()}`,
    name: 'Calm',
    overrides: { firstMessage: 'Calm {{city}}' },
  }),
  personalities: () => ({ name: 'Cole', voice: { provider: 'vapi', voiceId: 'Cole' }, prompt: 'Be kind in {{city}}.' }),
  'prompt-templates': () => ({
    ...{
      name: 'Greeter',
      prompt: 'Greet in {{city}}.',
      first_message: 'Hi {{city}}',
      end_call_message: 'Bye {{city}}',
    },
  }),
}
const rewritten: Partial<Record<Kind, Json>> = {
  'industry-templates': { prompt: 'Anew.' },
  'layer2-presets': { overrides: { firstMessage: 'Anew' } },
  personalities: { prompt: 'Anew.' },
  'prompt-templates': { prompt: 'Anew.' },
}
const lost = ['deleted', 'rewritten'] as const
type Lost = (typeof lost)[number]

/** An assistant as its editors show it, and what its live object is. */
function watched(id: string) {
  const row = () => storedAssistant(rig.app.database, id)
  const read = async (path = `/assistants/${id}`) => (await user.send('GET', path)).body.data as Json
  const entries = async () =>
    (await user.send('GET', `/assistants/${id}/update-log`)).body.data as unknown as { id: number }[]
  const live = async () => {
    const { updatedAt: _at, ...settings } = await rig.app.services.platform.assistants.get(
      (await row()).voiceAssistantId,
    )
    return settings
  }
  return {
    id,
    row,
    read,
    live,
    entries,
    put: (path: string, sent: object) => user.send('PUT', path.replace(':id', id), sent),
    /** Holds that a save changes nothing on either side. */
    async unchanged(path: string, sent: object) {
      const before = [configurationOf(await row()), await live(), await entries()]
      expect((await user.send('PUT', path.replace(':id', id), sent)).status).toBe(200)
      expect([configurationOf(await row()), await live(), await entries()]).toEqual(before)
    },
  }
}
type Watched = ReturnType<typeof watched>

const fields: Record<Kind, string> = {
  'base-configs': 'base_config_id',
  'industry-templates': 'industry_template_id',
  'layer2-presets': 'layer2_key',
  personalities: 'personality_id',
  'prompt-templates': 'prompt_template_id',
}
const metadata = { company_name: 'Smile' }
const regular = '/assistants/:id'
const advanced = '/assistants/:id/advanced'
const v2 = '/v2/assistants/:id'

/** An entry of the catalogue, and what names it. */
async function entryOf(kind: Kind) {
  const body = bodies[kind]()
  const id = await rig.entry(kind, body)
  return { kind, id, body, name: kind === 'layer2-presets' ? body.key : id }
}
type Entry = Awaited<ReturnType<typeof entryOf>>

/** Deletes an entry that the assistant is saved without, or rewrites it, and restores what was before. */
async function restored(assistant: Watched, entry: Entry, how: Lost, without: () => Promise<unknown>) {
  const version = (await assistant.entries())[0]?.id
  const before = await assistant.live()
  const path = `/admin/${entry.kind}/${entry.id}`
  if (how === 'deleted') {
    await without()
    expect((await rig.admin.send('DELETE', path)).status).toBe(200)
  } else {
    expect((await rig.admin.send('PUT', path, { ...entry.body, ...rewritten[entry.kind] })).status).toBe(200)
    await assistant.put(regular, { name: 'Other' })
  }
  expect((await user.send('POST', `/assistants/${assistant.id}/update-log/${version}/restore`)).status).toBe(200)
  expect(await assistant.live()).toMatchObject({ name: 'Desk', model: before.model, voice: before.voice })
  return assistant
}

/** An assistant of the regular editor that is rendered from the copy of an entry. */
async function copied(kind: 'personalities' | 'prompt-templates', how: Lost) {
  const entry = await entryOf(kind)
  const body = { name: 'Desk', variableValues: { city: 'Austin' }, metadata }
  const assistant = watched(String((await user.data('POST', '/assistants', body)).assistant_id))
  const field = kind === 'personalities' ? 'personality_id' : 'template_id'
  await assistant.put(advanced, { name: 'Desk', [field]: entry.id })
  return restored(assistant, entry, how, () => assistant.put(advanced, { name: 'Desk', [field]: null }))
}

/** An assistant that v2 built, with the copy of an entry as one of its layers. */
async function builtOfCopy(kind: Kind, how: Lost) {
  const entry = await entryOf(kind)
  const body = { name: 'Desk', base_config_id: plain, variable_values: { city: 'Austin' }, metadata }
  const made = await user.data('POST', '/v2/assistants', { ...body, [fields[kind]]: entry.name })
  const assistant = watched(String(made.assistant_id))
  const none = { [fields[kind]]: kind === 'base-configs' ? plain : null }
  return restored(assistant, entry, how, () => assistant.put(v2, none))
}

describe.each(lost)('of an assistant that a restore left the copy of an entry that was %s', (how) => {
  test.each(['personalities', 'prompt-templates'] as const)(
    'the record sent back changes nothing: %s',
    async (kind) => {
      const assistant = await copied(kind, how)
      await assistant.unchanged(regular, writtenBack(await assistant.read()))
      await assistant.unchanged(advanced, writtenBack(await assistant.read()))
      await assistant.unchanged(advanced, writtenBack(await assistant.read(`/assistants/${assistant.id}/advanced`)))
    },
  )

  test('another personality takes its place, and null after it leaves none', async () => {
    const assistant = await copied('personalities', how)
    const other = await entryOf('personalities')
    for (const [id, voice, messages] of [
      [other.id, { voiceId: 'Cole' }, [{ role: 'system', content: 'Be kind in Austin.' }]],
      [null, { voiceId: 'Elliot' }, []],
    ]) {
      expect((await assistant.put(advanced, { name: 'Desk', personality_id: id })).status).toBe(200)
      expect(await assistant.live()).toMatchObject({ voice, model: { messages } })
      expect(await assistant.row()).toMatchObject({ personalityId: id, kept: null })
    }
  })

  test('a null voice takes that of a personality away, with the null that the record shows beside it', async () => {
    const assistant = await copied('personalities', how)
    const { model } = await assistant.live()
    await assistant.put(advanced, { name: 'Desk', personality_id: null, voice: { voiceId: null } })
    expect(await assistant.live()).toMatchObject({ voice: { voiceId: 'Elliot' }, model })
  })

  const layered = Object.keys(fields).filter((kind) => how === 'deleted' || kind in rewritten) as Kind[]
  test.each(layered)('the record of one that v2 built, sent back, changes nothing: %s', async (kind) => {
    const assistant = await builtOfCopy(kind, how)
    await assistant.unchanged(v2, {})
    await assistant.unchanged(v2, builtBack(await assistant.read(`/v2/assistants/${assistant.id}`)))
    await assistant.unchanged(v2, { [fields[kind]]: null })
    await assistant.unchanged(regular, writtenBack(await assistant.read()))
    await assistant.unchanged(advanced, writtenBack(await assistant.read(`/assistants/${assistant.id}/advanced`)))
    await assistant.unchanged(v2, {})
  })

  test.each(layered)(
    'another entry takes its place where v2 built it, and null after it leaves none: %s',
    async (kind) => {
      const assistant = await builtOfCopy(kind, how)
      const other = await entryOf(kind)
      expect((await assistant.put(v2, { [fields[kind]]: other.name })).status).toBe(200)
      expect(await assistant.row()).toMatchObject({ kept: null })
      if (kind === 'base-configs') return
      expect((await assistant.put(v2, { [fields[kind]]: null })).status).toBe(200)
      expect(await assistant.row()).toMatchObject({ kept: null, build: { config: {} } })
      expect(await assistant.live()).toMatchObject({
        firstMessage: '',
        voice: { voiceId: 'Elliot' },
        model: { messages: [] },
      })
    },
  )
})

describe('an assistant that v2 built on a base config that was deleted since', () => {
  const base = async (config: object) => rig.entry('base-configs', { name: 'Other', config })
  const selected = (provider: string, voiceId: string) => ({ voice: { provider, voiceId } })

  test('is edited through v2, on the copy, which it names', async () => {
    const assistant = await builtOfCopy('base-configs', 'deleted')
    const path = `/v2/assistants/${assistant.id}`
    const shown = { base_config_id: null, base_config_name: 'Warm' }
    expect(await assistant.read(path)).toMatchObject(shown)
    expect(await user.data('GET', '/v2/assistants')).toMatchObject([shown])
    const saved = await assistant.put(v2, { system_prompt: 'Sell in {{city}}.' })
    expect(saved).toMatchObject({ status: 200, body: { data: { ...shown, end_call_message: 'Base bye' } } })
    const messages = [{ role: 'system', content: 'Sell in Austin.' }]
    expect((await assistant.live()).model).toMatchObject({ model: 'gpt-4o', temperature: 0.3, messages })
    await assistant.unchanged(v2, {})
  })

  test('is built on the base config that a body names', async () => {
    const assistant = await builtOfCopy('base-configs', 'deleted')
    const id = await base(selected('openai', 'onyx'))
    const saved = await assistant.put(v2, { base_config_id: id })
    expect(saved).toMatchObject({ status: 200, body: { data: { base_config_id: id, base_config_name: 'Other' } } })
    expect(await assistant.live()).toMatchObject({ endCallMessage: '', voice: { provider: 'openai', voiceId: 'onyx' } })
    await assistant.unchanged(v2, {})
  })

  test.each([
    ['v2', v2, 'prompt_template_id'],
    ['the regular editor', regular, 'template_id'],
  ])('keeps the copy with a template that brings another, by %s', async (_name, path, field) => {
    const assistant = await builtOfCopy('base-configs', 'deleted')
    const templates = [await base(selected('openai', 'onyx')), await base(selected('openai', 'nova'))].map((id) =>
      rig.entry('prompt-templates', { name: 'T', prompt: 'Hi', base_config_id: id }),
    )
    for (const id of [...(await Promise.all(templates)), null]) {
      expect((await assistant.put(path, { name: 'Desk', [field]: id })).status).toBe(200)
      await assistant.unchanged(v2, {})
      expect(await assistant.live()).toMatchObject({ voice: { provider: 'vapi' }, model: { temperature: 0.3 } })
    }
    expect(await assistant.row()).toMatchObject({ baseConfigId: null, kept: { baseConfig: { name: 'Warm' } } })
  })

  test('keeps the copy when the template that came with it is another', async () => {
    const warm = await entryOf('base-configs')
    const brings = { ...bodies['prompt-templates'](), base_config_id: warm.id }
    const template = await rig.entry('prompt-templates', brings)
    const body = { name: 'Desk', prompt_template_id: template, variable_values: { city: 'Austin' }, metadata }
    const assistant = watched(String((await user.data('POST', '/v2/assistants', body)).assistant_id))
    await restored(assistant, warm, 'deleted', async () => {
      await assistant.put(v2, { base_config_id: plain, prompt_template_id: null })
      await rig.admin.send('DELETE', `/admin/prompt-templates/${template}`)
    })
    expect(await assistant.row()).toMatchObject({ kept: { template: { name: 'Greeter' } } })
    for (const [path, field] of [
      [regular, 'template_id'],
      [v2, 'prompt_template_id'],
    ] as const) {
      const other = await rig.entry('prompt-templates', { name: 'T', prompt: 'Hi' })
      expect((await assistant.put(path, { name: 'Desk', [field]: other })).status).toBe(200)
      expect(await assistant.row()).toMatchObject({ templateId: other, kept: { baseConfig: { name: 'Warm' } } })
      await assistant.unchanged(v2, {})
    }
  })
})
