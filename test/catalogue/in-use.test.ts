import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { attachOutside, changeAssistant, storedAssistant } from '../support/rows/assistants.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})

const make = async (kind: string, body: object) => (await admin.send('POST', `/admin/${kind}`, body)).body.data.id
const remove = (kind: string, id: number) => admin.send('DELETE', `/admin/${kind}/${id}`)
const baseConfig = () => make('base-configs', { name: 'Plain', config: {} })

const inUse = (by: string) => ({ status: 409, body: { success: false, message: `This entry is in use by ${by}.` } })

/** An assistant that refers to what is given. */
async function assistant(columns: Parameters<typeof changeAssistant>[2]): Promise<string> {
  const { body } = await admin.send('POST', '/assistants', { name: 'Desk' })
  const id = String(body.data.assistant_id)
  await changeAssistant(app.database, id, columns)
  return id
}

describe('an entry in use is not deleted', () => {
  test('a base config by templates', async () => {
    const base = await baseConfig()
    const template = await make('prompt-templates', { name: 'Greeter', prompt: 'Hi', base_config_id: base })
    expect(await remove('base-configs', base)).toEqual(inUse('prompt templates'))
    expect((await remove('prompt-templates', template)).status).toBe(200)
    const industry = await make('industry-templates', { name: 'Dental', prompt: 'Hi', base_config_id: base })
    expect(await remove('base-configs', base)).toEqual(inUse('industry templates'))
    expect((await remove('industry-templates', industry)).status).toBe(200)
    expect((await remove('base-configs', base)).status).toBe(200)
  })

  test('parts by assistants, until they are gone', async () => {
    const base = await baseConfig()
    const key = crypto.randomUUID()
    const parts = {
      'prompt-templates': await make('prompt-templates', { name: 'Greeter', prompt: 'Hi' }),
      personalities: await make('personalities', { name: 'Sarah', voice: {} }),
      'industry-templates': await make('industry-templates', { name: 'Dental', prompt: 'Hi', base_config_id: base }),
      'layer2-presets': await make('layer2-presets', { key, name: 'Calm', overrides: {} }),
      tools: await make('tools', { label: 'End', description: 'Hangs up', type: 'endCall', scope: 'global' }),
    }
    const id = await assistant({
      templateId: parts['prompt-templates'],
      personalityId: parts.personalities,
      industryTemplateId: parts['industry-templates'],
      layer2Key: key,
      config: { model: { toolIds: [String(parts.tools)] } },
    })
    for (const [kind, part] of Object.entries(parts)) expect(await remove(kind, part)).toEqual(inUse('assistants'))
    await admin.send('DELETE', `/assistants/${id}`)
    for (const [kind, part] of Object.entries(parts)) expect((await remove(kind, part)).status).toBe(200)
  })

  test('a tool that an assistant has only on the live platform', async () => {
    const tool = await make('tools', { label: 'End', description: 'Hangs up', type: 'endCall', scope: 'global' })
    const id = await assistant({ config: {} })
    await attachOutside(app.database, id, ['other', tool])
    expect(await remove('tools', tool)).toEqual(inUse('assistants'))
  })

  test('the key of a preset in use changes everywhere', async () => {
    const key = crypto.randomUUID()
    const preset = await make('layer2-presets', { key, name: 'Calm', overrides: {} })
    const id = await assistant({ layer2Key: key })
    const renamed = `${key}-2`
    await admin.send('PUT', `/admin/layer2-presets/${preset}`, { key: renamed, name: 'Calm', overrides: {} })
    expect((await storedAssistant(app.database, id)).layer2Key).toBe(renamed)
  })

  test('one that begins to be used at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const base = await baseConfig()
      const [deleted, used] = await Promise.all([
        remove('base-configs', base),
        admin.send('POST', '/admin/prompt-templates', { name: 'Late', prompt: 'Hi', base_config_id: base }),
      ])
      const outcome = `${deleted.status} ${used.status}`
      expect(['200 422', '409 201']).toContain(outcome)
    }
  })
})
