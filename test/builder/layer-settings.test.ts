import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../admin/caller.ts'
import { storedAssistant } from '../support/rows/assistants.ts'
import { createRig, type Rig } from './rig.ts'

let rig: Rig
let user: Caller
beforeAll(async () => {
  rig = await createRig()
  user = await rig.caller()
})

const server = { url: 'https://layer.example.com/', headers: { 'X-Shop': 'a' } }
const none = { server, metadata: { company_name: 'Shop' }, name: 'Layer' }
const serverUrl = 'https://calls.example.com/'
const cases: [name: string, sent: object, webhookUrl: string | null][] = [
  ['a request without `server_url`', {}, null],
  ['a request with one', { server_url: serverUrl }, serverUrl],
]

test.each(cases)(
  'what an assistant takes from the request alone, no preview shows of a layer: %s',
  async (_name, sent, webhookUrl) => {
    const base = await rig.entry('base-configs', { name: 'Base', config: { maxDurationSeconds: 300, ...none } })
    const key = `k-${crypto.randomUUID()}`
    await rig.entry('layer2-presets', { key, name: 'Preset', overrides: { backgroundSound: 'office', ...none } })
    const body = { name: 'Desk', base_config_id: base, layer2_key: key, ...sent }
    const { body: preview } = await user.send('POST', '/v2/assistants/preview', body)
    expect(preview.data).toMatchObject({
      config: { maxDurationSeconds: 300, backgroundSound: 'office' },
      provenance: { maxDurationSeconds: 'base_config', backgroundSound: 'layer2_preset' },
    })
    const shown = [...Object.keys(preview.data.config), ...Object.keys(preview.data.provenance)]
    expect(shown.filter((path) => Object.keys(none).includes(path.split('.', 1)[0] ?? ''))).toEqual([])
    const made = await user.send('POST', '/v2/assistants', body)
    const row = await storedAssistant(rig.app.database, String(made.body.data.assistant_id))
    expect(row).toMatchObject({ name: 'Desk', webhookUrl, config: preview.data.config })
    const live = await rig.app.services.platform.assistants.get(row.voiceAssistantId)
    expect(live.server?.url).toBe(webhookUrl ?? undefined)
  },
)
