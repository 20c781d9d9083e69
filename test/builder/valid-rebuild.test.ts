import { beforeAll, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import type { Caller } from '../admin/caller.ts'
import { builtAssistant } from './built-assistant.ts'
import { createRig, fillLayers, type Layers, type Rig } from './rig.ts'

let rig: Rig
let layers: Layers
let user: Caller
beforeAll(async () => {
  rig = await createRig()
  layers = await fillLayers(rig)
  user = await rig.caller()
})

const built = () => builtAssistant(rig, user, { base_config_id: layers.base })
const writes = () => rig.app.platform.requests.filter(({ method }) => method !== 'GET').length

const invalid: [kind: string, config: object, errors: object][] = [
  [
    'base-configs',
    { voice: { provider: 'nope', voiceId: 'x' } },
    { 'voice.provider': ['The voice.provider field is not one that the voice platform supports.'] },
  ],
  [
    'base-configs',
    { model: { provider: 'nope', model: 'x' } },
    { 'model.provider': ['The model.provider field is not one that the voice platform supports.'] },
  ],
  [
    'layer2-presets',
    { voice: { provider: 'nope', voiceId: 'x' } },
    { 'voice.provider': ['The voice.provider field is not one that the voice platform supports.'] },
  ],
]
test.each(invalid)('an update whose %s bring %j is refused by path, as a preview is', async (kind, config, errors) => {
  const key = `k-${crypto.randomUUID()}`
  const isBase = kind === 'base-configs'
  const id = await rig.entry(kind, { name: 'Broken', ...(isBase ? { config } : { key, overrides: config }) })
  const assistant = await built()
  const [before, sent] = [configurationOf(await assistant.row()), writes()]
  const body = { base_config_id: isBase ? id : layers.base, layer2_key: isBase ? null : key }
  const refused = { success: false, message: 'Configuration validation failed', errors }
  expect(await user.send('POST', '/v2/assistants/preview', { name: 'Desk', ...body })).toEqual({
    status: 422,
    body: refused,
  })
  expect(await assistant.rebuild(body)).toEqual({ status: 422, body: refused })
  expect(configurationOf(await assistant.row())).toEqual(before)
  expect(writes()).toBe(sent)
  await assistant.settled()
})

test('an update is not refused for what came from the live platform', async () => {
  const assistant = await built()
  const firstMessage = 'x'.repeat(1500)
  await rig.app.services.platform.assistants.update(String((await assistant.live()).id), { firstMessage })
  expect((await assistant.edit('', { maxDurationSeconds: 600 })).status).toBe(200)
  expect((await assistant.rebuild({ name: 'Other' })).status).toBe(200)
  expect(await assistant.live()).toMatchObject({ name: 'Other', firstMessage, maxDurationSeconds: 600 })
  await assistant.settled()
})
