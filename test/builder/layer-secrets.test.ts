import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import { mask } from '../../src/resources/history/mask.ts'
import { type Caller, callerOf, refusal } from '../admin/caller.ts'
import { newTokenFor, newUser } from '../support/app.ts'
import { storedAssistant } from '../support/rows/assistants.ts'
import { createRig, type Rig } from './rig.ts'

type Json = Record<string, unknown>

const secret = 'of-the-operator'
const url = 'https://tools.example.com/'
const server = { url, secret, headers: { 'X-Shop': secret } }
const maskedServer = { url, secret: mask, headers: { 'X-Shop': mask } }
const tool = { type: 'function', function: { name: 'orders' } }
const hooksWith = (shown: object) => [{ on: 'call.ending', do: [{ type: 'tool', tool: { ...tool, server: shown } }] }]
const endpointing = (shown: object) => ({ provider: 'custom-endpointing-model', server: shown })
const layered = {
  model: {
    provider: 'custom-llm',
    model: 'own',
    url: 'https://llm.example.com/?key=of-the-operator',
    headers: { Authorization: `Bearer ${secret}` },
    tools: [{ ...tool, server }],
  },
  voice: { provider: 'custom-voice', server },
  transcriber: { provider: 'custom-transcriber', server },
  hooks: hooksWith(server),
  credentials: [{ provider: 'openai', apiKey: secret }],
  startSpeakingPlan: { smartEndpointingPlan: endpointing(server) },
  transportConfigurations: [{ provider: 'twilio', timeout: 30, apiToken: secret }, { provider: 'other' }],
  server,
}

let rig: Rig
let base: number
let user: Caller
let viewer: Caller
let readers: Caller[]
beforeAll(async () => {
  rig = await createRig()
  base = await rig.entry('base-configs', { name: 'Shop', config: layered })
  user = await rig.caller()
  const { workspaceId } = user
  viewer = callerOf(rig.app, await newUser(rig.app.database, { workspaceId, workspaceRole: 'viewer' }))
  const scopes = ['admin:read', 'assistants:read', 'assistants:write'] as const
  const reading = await newTokenFor(rig.app.database, rig.admin.userId, undefined, [...scopes])
  readers = [user, viewer, rig.admin, callerOf(rig.app, { ...rig.admin, token: reading })]
})

const expectNone = (body: unknown) => expect(JSON.stringify(body)).not.toContain(secret)

test('a preview shows no secret of the catalogue, to nobody', async () => {
  for (const reader of readers) {
    const { status, body } = await reader.send('POST', '/v2/assistants/preview', { name: 'x', base_config_id: base })
    expect(status).toBe(200)
    expectNone(body)
    expect(body.data.config).toMatchObject({
      model: { headers: { Authorization: mask }, tools: [{ ...tool, server: maskedServer }] },
      voice: { server: maskedServer },
      transcriber: { server: maskedServer },
      hooks: hooksWith(maskedServer),
      credentials: mask,
      startSpeakingPlan: { smartEndpointingPlan: endpointing(maskedServer) },
    })
  }
})

describe('an assistant that was built of it', () => {
  const make = async () => {
    const { status, body } = await user.send('POST', '/v2/assistants', { name: 'Desk', base_config_id: base })
    expect(status).toBe(201)
    expectNone(body)
    const id = String(body.data.assistant_id)
    const row = () => storedAssistant(rig.app.database, id)
    const entries = async () => (await user.send('GET', `/assistants/${id}/update-log`)).body.data as unknown as Json[]
    return { id, row, entries }
  }
  const live = async ({ row }: Awaited<ReturnType<typeof make>>) =>
    rig.app.services.platform.assistants.get((await row()).voiceAssistantId)

  test('shows none of its secrets in any record, and its live object has them', async () => {
    const made = await make()
    const paths = ['/assistants', '/v2/assistants', '/assistants?lite=true', `/assistants/${made.id}`]
    for (const reader of readers) {
      for (const path of [...paths, `/assistants/${made.id}/advanced`, `/v2/assistants/${made.id}`]) {
        const { status, body } = await reader.send('GET', path)
        expect(status).toBe(200)
        expectNone(body)
        if (!path.includes(made.id)) continue
        expect(body.data).toMatchObject({
          hooks: hooksWith(maskedServer),
          credentials: [mask],
          start_speaking_plan: { smartEndpointingPlan: endpointing(maskedServer) },
        })
      }
    }
    expect(await live(made)).toMatchObject({
      model: { headers: layered.model.headers, tools: [{ ...tool, server }] },
      voice: { server },
      transcriber: { server },
      hooks: layered.hooks,
      startSpeakingPlan: layered.startSpeakingPlan,
    })
  })

  describe.each(['', '/advanced'])('by PUT /assistants/{assistantId}%s', (at) => {
    const sentBack = async (id: string) => {
      const { body } = await user.send('GET', `/assistants/${id}${at}`)
      const { name, start_speaking_plan: startSpeakingPlan, transport_configurations } = body.data
      return { name, startSpeakingPlan, transportConfigurations: transport_configurations } as {
        name: string
        startSpeakingPlan: Json
        transportConfigurations: Json[]
      }
    }

    test('sent back as it was read saves nothing', async () => {
      const made = await make()
      const [before, number] = [configurationOf(await made.row()), (await made.entries()).length]
      expect((await user.send('PUT', `/assistants/${made.id}${at}`, await sentBack(made.id))).status).toBe(200)
      expect(configurationOf(await made.row())).toEqual(before)
      expect(await made.entries()).toHaveLength(number)
    })

    test('with something else changed beside them keeps its secrets', async () => {
      const made = await make()
      const { name, startSpeakingPlan, transportConfigurations } = await sentBack(made.id)
      const [first, second] = transportConfigurations
      const sent = {
        name,
        startSpeakingPlan: {
          ...startSpeakingPlan,
          smartEndpointingPlan: endpointing({ ...maskedServer, timeoutSeconds: 9 }),
        },
        transportConfigurations: [second, { ...first, timeout: 40 }],
      }
      const updated = await user.send('PUT', `/assistants/${made.id}${at}`, sent)
      expect(updated.status).toBe(200)
      expectNone(updated.body)
      const kept = { smartEndpointingPlan: endpointing({ ...server, timeoutSeconds: 9 }) }
      const { config } = await made.row()
      expect(config.startSpeakingPlan).toMatchObject(kept)
      expect((await live(made)).startSpeakingPlan).toMatchObject(kept)
      const changed = { ...layered.transportConfigurations[0], timeout: 40 }
      expect(config.transportConfigurations).toEqual([second, changed])
      const left = { name, transportConfigurations: [{ ...first, timeout: 40 }] }
      expect((await user.send('PUT', `/assistants/${made.id}${at}`, left)).status).toBe(200)
      expect((await made.row()).config.transportConfigurations).toEqual([changed])
    })

    test('with another address is refused: a secret goes to its own alone', async () => {
      const made = await make()
      const { name } = await sentBack(made.id)
      const elsewhere = endpointing({ ...maskedServer, url: 'https://elsewhere.example.com/' })
      const sent = { name, startSpeakingPlan: { smartEndpointingPlan: elsewhere } }
      const text = 'The startSpeakingPlan field has a masked value that is not as it was read.'
      expect(await user.send('PUT', `/assistants/${made.id}${at}`, sent)).toMatchObject(
        refusal('startSpeakingPlan', text),
      )
    })

    test('with a masked value of which nobody can tell what it was is refused', async () => {
      const made = await make()
      const { name, transportConfigurations } = await sentBack(made.id)
      const [first, second] = transportConfigurations
      const sent = {
        name,
        transportConfigurations: [{ ...first, timeout: 40 }, second, { provider: 'third', apiToken: mask }],
      }
      const text = 'The transportConfigurations field has a masked value that is not as it was read.'
      expect(await user.send('PUT', `/assistants/${made.id}${at}`, sent)).toMatchObject(
        refusal('transportConfigurations', text),
      )
    })
  })

  describe('whose layers have them no more', () => {
    const speaking = (keys: object[]) => ({ startSpeakingPlan: { rules: keys } })
    const rules = [{ apiKey: secret }]
    const config = { ...speaking(rules), transportConfigurations: layered.transportConfigurations }
    const entryWith = (settings: object) => rig.entry('base-configs', { name: 'Short', config: settings })
    const change: [string, (base: number) => Promise<Json>][] = [
      ['because others were named', async () => ({ base_config_id: await entryWith({ maxDurationSeconds: 60 }) })],
      [
        'because the operator took them out',
        async (of) => {
          const without = { name: 'Short', is_active: true, config: { maxDurationSeconds: 60 } }
          expect((await rig.admin.send('PUT', `/admin/base-configs/${of}`, without)).status).toBe(200)
          return {}
        },
      ],
    ]
    test.each(change)('shows none of what an edit kept, %s', async (_, replaced) => {
      const of = await entryWith(config)
      const made = await user.send('POST', '/v2/assistants', { name: 'Desk', base_config_id: of })
      const id = String(made.body.data.assistant_id)
      const read = async () => (await user.send('GET', `/assistants/${id}`)).body.data
      const { transport_configurations: [first, second] = [] } = (await read()) as { transport_configurations?: Json[] }
      const edit = {
        name: 'Desk',
        transportConfigurations: [{ ...first, timeout: 61 }, second],
        ...speaking([{ apiKey: mask }, { mine: true }]),
      }
      expect((await user.send('PUT', `/assistants/${id}`, edit)).status).toBe(200)
      const row = () => storedAssistant(rig.app.database, id)
      const edited = (await row()).config
      expect(JSON.stringify(edited)).toContain(secret)
      for (const body of [await replaced(of), { system_prompt: 'Be brief.' }]) {
        const rebuilt = await user.send('PUT', `/v2/assistants/${id}`, body)
        expect(rebuilt.status).toBe(200)
        expectNone(rebuilt.body)
        for (const reader of readers) {
          for (const path of [
            `/assistants/${id}`,
            `/v2/assistants/${id}`,
            `/assistants/${id}/advanced`,
            '/assistants',
          ]) {
            expectNone((await reader.send('GET', path)).body)
          }
        }
      }
      expect((await user.send('PUT', `/assistants/${id}`, edit)).status).toBe(200)
      const { transportConfigurations, startSpeakingPlan } = edited
      expect((await row()).config).toMatchObject({ transportConfigurations, startSpeakingPlan })

      const own = [{ provider: 'own', apiToken: 'of-the-user' }]
      await user.send('PUT', `/assistants/${id}`, { name: 'Desk', transportConfigurations: null })
      await user.send('PUT', `/v2/assistants/${id}`, { name: 'Desk' })
      await user.send('PUT', `/assistants/${id}`, { name: 'Desk', transportConfigurations: own })
      expect(await read()).toMatchObject({ transport_configurations: own })
    })
  })

  test("with secrets of the user's own: they are written, and shown nowhere that the layers have one", async () => {
    const made = await make()
    const own = { smartEndpointingPlan: endpointing({ url, secret: 'of-the-user' }) }
    const { body } = await user.send('PUT', `/assistants/${made.id}`, { name: 'Desk', startSpeakingPlan: own })
    expect(body.data.start_speaking_plan).toMatchObject({
      smartEndpointingPlan: endpointing({ url, secret: mask }),
    })
    expect((await live(made)).startSpeakingPlan).toMatchObject(own)
  })
})

describe('secrets of the catalogue in other forms', () => {
  const told = ['PASS', 'WSKEY', '123456789', 'HYPHEN', 'CALLBACK', 'FRAGMENT', 'QUERY', 'LISTED', 'PAIRED', 'BROKER']
  const config = {
    monitorPlan: { listenEnabled: true, websocketUrl: 'wss://user:PASS@op.example.com/x?k=WSKEY' },
    transportConfigurations: [
      {
        provider: 'own',
        authToken: 123456789,
        'api-key': 'HYPHEN',
        callbackUrl: 'https://op.example.com/cb?sig=CALLBACK',
        url: 'https://op.example.com/#FRAGMENT',
        uri: 'https://op.example.com/?t=QUERY',
        broker: 'amqp://user:BROKER@op.example.com/jobs',
        webhook: { url: 'https://op.example.com/hook' },
        headers: [{ name: 'Authorization', value: 'Bearer LISTED' }],
        maxTokens: 9,
      },
    ],
    startSpeakingPlan: { own: { headers: [{ Authorization: 'PAIRED' }] } },
  }
  const expectNoneOf = (body: unknown) => {
    const text = JSON.stringify(body)
    expect(told.filter((one) => text.includes(one))).toEqual([])
  }
  let id: string
  let of: number
  beforeAll(async () => {
    of = await rig.entry('base-configs', { name: 'Odd', config })
  })
  beforeEach(async () => {
    const made = await user.send('POST', '/v2/assistants', { name: 'Odd', base_config_id: of })
    expectNoneOf(made.body)
    id = String(made.body.data.assistant_id)
  })

  test('are shown in no record, preview or history', async () => {
    const preview = await user.send('POST', '/v2/assistants/preview', { name: 'Odd', base_config_id: of })
    expectNoneOf(preview.body)
    expect(preview.body.data.config).toMatchObject({
      monitorPlan: { websocketUrl: 'wss://op.example.com/x?***' },
      transportConfigurations: [{ authToken: mask, webhook: { url: 'https://op.example.com/hook' }, maxTokens: 9 }],
    })
    const log = await user.send('GET', `/assistants/${id}/update-log`)
    expectNoneOf(log.body)
    const [entry] = log.body.data as unknown as Json[]
    for (const reader of [user, viewer]) {
      for (const at of ['', '/advanced', `/update-log/${entry?.id}`]) {
        const { status, body } = await reader.send('GET', `/assistants/${id}${at}`)
        expect(status).toBe(200)
        expectNoneOf(body)
      }
    }
  })

  const first = async () => {
    const { body } = await user.send('GET', `/assistants/${id}`)
    const { monitor_plan, start_speaking_plan, transport_configurations } = body.data
    const [sent = {}] = transport_configurations as unknown as Json[]
    return { monitorPlan: monitor_plan as unknown as Json, startSpeakingPlan: start_speaking_plan, sent }
  }
  const put = (body: object) => user.send('PUT', `/assistants/${id}`, { name: 'Odd', ...body })

  test('are kept where they are sent back as they were read, with something else beside them', async () => {
    const { monitorPlan, startSpeakingPlan, sent } = await first()
    const body = {
      startSpeakingPlan,
      monitorPlan: { ...monitorPlan, listenEnabled: false },
      transportConfigurations: [{ ...sent, timeout: 61, maxTokens: 10 }],
    }
    expect((await put(body)).status).toBe(200)
    expect((await storedAssistant(rig.app.database, id)).config).toMatchObject({
      startSpeakingPlan: config.startSpeakingPlan,
      monitorPlan: { ...config.monitorPlan, listenEnabled: false },
      transportConfigurations: [{ ...config.transportConfigurations[0], timeout: 61, maxTokens: 10 }],
    })
  })

  test.each<[string, Json]>([
    ['callbackUrl', { callbackUrl: 'https://elsewhere.example.com/' }],
    ['an address below', { webhook: { url: 'https://elsewhere.example.com/' } }],
    ['provider', { provider: 'another' }],
    ['an address that was not there', { proxy: { url: 'https://elsewhere.example.com/' } }],
    ['an address of any name', { forward: 'https://elsewhere.example.com/' }],
    ['a host', { host: 'elsewhere.example.com' }],
  ])('are refused beside another %s', async (_, change) => {
    const { sent } = await first()
    const text = 'The transportConfigurations field has a masked value that is not as it was read.'
    expect(await put({ transportConfigurations: [{ ...sent, ...change }] })).toMatchObject(
      refusal('transportConfigurations', text),
    )
  })

  test('are refused as the cut address of another setting', async () => {
    const { sent } = await first()
    const websocketUrl = String(sent.callbackUrl).replace('https', 'wss')
    const text = 'The monitorPlan field has a masked value that is not as it was read.'
    expect(await put({ monitorPlan: { websocketUrl } })).toMatchObject(refusal('monitorPlan', text))
  })
})

test('settings that no layer has a secret in are shown as the user wrote them', async () => {
  const startSpeakingPlan = { smartEndpointingPlan: endpointing({ url, secret: 'of-the-user' }) }
  const { body } = await user.send('POST', '/assistants', { name: 'Own', startSpeakingPlan })
  expect(body.data.start_speaking_plan).toEqual(startSpeakingPlan)
  const monitorPlan = { listenEnabled: true, websocketUrl: 'wss://user:PASS@mine.example.com/x?k=KEY' }
  const monitored = await user.send('POST', '/assistants', { name: 'Own', monitorPlan })
  expect(monitored.body.data.monitor_plan).toMatchObject(monitorPlan)
})
