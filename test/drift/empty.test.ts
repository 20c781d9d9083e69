import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isObject } from '../../src/json/object.ts'
import type { PlatformClient } from '../../src/voice-platform/client.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
/** What the platform makes of an object before it shows it to the application. */
let shown = (live: object): object => live

const kinds = ['assistants', 'squads', 'phoneNumbers'] as const

function through(client: PlatformClient): PlatformClient {
  const showing = kinds.map((kind) => {
    const { create, get, update } = client[kind] as unknown as Record<string, (...args: unknown[]) => Promise<object>>
    const as =
      (call: typeof get) =>
      async (...args: unknown[]) =>
        shown((await call?.(...args)) ?? {})
    return [kind, { ...client[kind], create: as(create), get: as(get), update: as(update) }]
  })
  return { ...client, ...Object.fromEntries(showing) }
}

/** Without what is empty, however deep. */
const dropping = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(dropping)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, dropping(item)] as const)
  const isEmpty = (item: unknown) =>
    item === '' || (Array.isArray(item) ? item.length === 0 : isObject(item) && Object.keys(item).length === 0)
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)))
}

let baseConfig: unknown
beforeAll(async () => {
  rig = await createDriftRig({}, through)
  const { id } = await rig.data('POST', '/admin/base-configs', { name: 'Base', config: {} }, await rig.operator())
  baseConfig = id
})
afterAll(() => rig.stop())

const valueIn = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
      body,
    )

/** One record with its live object: how it is written, and what both sides and the next save say. */
interface Subject {
  put(body: Body): Promise<Body>
  live(): Promise<Body>
  at: string
  outside(body: Body): Promise<unknown>
}

async function assistant(body: Body, way = ''): Promise<Subject> {
  const made = await rig.data('POST', `${way}/assistants`, {
    name: 'Ann',
    ...(way && { base_config_id: baseConfig }),
    ...body,
  })
  const { assistant_id: id, voice_assistant_id: liveId } = (made.assistant_id ? made : made.assistant) as Body
  return {
    put: (next) => rig.data('PUT', `${way}/assistants/${id}`, { ...(!way && { name: 'Ann' }), ...next }),
    live: async () => (await rig.outside.assistants.get(String(liveId))) as unknown as Body,
    at: `/assistants/${id}`,
    outside: (next) => rig.outside.assistants.update(String(liveId), next as never),
  }
}

async function squad(body: Body): Promise<Subject> {
  const { assistant_id: assistantId } = await rig.data('POST', '/assistants', { name: 'Ann', firstMessage: 'Hi' })
  const whole = { name: 'Team', members: [{ assistantId }] }
  const draft = await rig.data('POST', '/squads', { ...whole, ...body })
  const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, { ...whole, ...body })
  const live = async () => JSON.parse(JSON.stringify(await rig.outside.squads.get(String(id)))) as Body
  return {
    put: (next) => rig.data('PUT', `/squads/${id}`, { ...whole, ...next }),
    live,
    at: `/squads/${id}`,
    async outside(next) {
      const { members } = await live()
      return rig.outside.squads.update(String(id), { members, ...next } as never)
    },
  }
}

async function number(body: Body): Promise<Subject> {
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  const { id, voice_phone_number_id: liveId } = await rig.data('POST', '/phone-numbers', {
    phone_number: offer?.phone_number,
  })
  const put = (next: Body) => rig.data('PUT', `/phone-numbers/${id}`, next)
  await put(body)
  return {
    put,
    live: async () => (await rig.outside.phoneNumbers.get(String(liveId))) as unknown as Body,
    at: `/phone-numbers/${id}`,
    outside: (next) => rig.outside.phoneNumbers.update(String(liveId), { provider: 'twilio', ...next } as never),
  }
}

const v2 = (body: Body) => assistant(body, '/v2')

/** The fields of the last change that the platform was sent, without those that go with each. */
function lastSent(): string[] {
  const patch = rig.platform.requests.findLast(({ method }) => method === 'PATCH')
  const fields = Object.keys(isObject(patch?.body) ? patch.body : {})
  return fields.filter((field) => !['name', 'members', 'provider'].includes(field))
}

const hook = { url: 'https://hooks.example/x' }
const fallback = { type: 'number', number: '+14155550199' }

type Steps = [body: Body, live: unknown][]
const cases: [what: string, make: (body: Body) => Promise<Subject>, first: Body, path: string, steps: Steps][] = [
  [
    'an empty text in the metadata',
    assistant,
    { metadata: { company_name: '' } },
    'metadata.company_name',
    [
      [{ metadata: { company_name: null } }, undefined],
      [{ metadata: { company_name: '' } }, ''],
      [{ metadata: null }, undefined],
    ],
  ],
  [
    'an empty list in the metadata',
    assistant,
    {},
    'metadata.always_say',
    [
      [{ metadata: { company_name: '', always_say: [] } }, []],
      [{ metadata: { always_say: null } }, undefined],
    ],
  ],
  [
    'an empty object in the metadata',
    assistant,
    { metadata: { business_hours: {} } },
    'metadata.business_hours',
    [
      [{ metadata: { business_hours: { monday: '' } } }, { monday: '' }],
      [{ metadata: { business_hours: null } }, undefined],
    ],
  ],
  [
    'an empty list in a plan',
    assistant,
    { stopSpeakingPlan: { numWords: 2 } },
    'stopSpeakingPlan.acknowledgementPhrases',
    [
      [{ stopSpeakingPlan: { acknowledgementPhrases: [] } }, []],
      [{ stopSpeakingPlan: { acknowledgementPhrases: ['ok'] } }, ['ok']],
      [{ stopSpeakingPlan: { acknowledgementPhrases: [] } }, []],
      [{ stopSpeakingPlan: { acknowledgementPhrases: null } }, undefined],
    ],
  ],
  [
    'an empty text in the metadata of the builder',
    v2,
    { metadata: { cust: '' } },
    'metadata.cust',
    [
      [{ metadata: { cust: null } }, undefined],
      [{ metadata: { cust: '' } }, ''],
    ],
  ],
  [
    'an empty override',
    squad,
    {},
    'membersOverrides.firstMessage',
    [
      [{ membersOverrides: { firstMessage: '' } }, ''],
      [{ membersOverrides: null }, undefined],
      [{ membersOverrides: { firstMessage: 'Override' } }, 'Override'],
      [{ membersOverrides: { firstMessage: '' } }, ''],
      [{ membersOverrides: null }, undefined],
    ],
  ],
  [
    'an empty override of a draft',
    squad,
    { membersOverrides: { firstMessage: '' } },
    'membersOverrides.firstMessage',
    [[{ membersOverrides: null }, undefined]],
  ],
  [
    'an empty shared value',
    squad,
    { variableValues: { e: '', f: 'x' } },
    'membersOverrides.variableValues',
    [
      [{ variableValues: { f: 'x' } }, { f: 'x' }],
      [{ variableValues: { e: '', f: 'x' } }, { e: '', f: 'x' }],
    ],
  ],
  [
    'an empty header',
    number,
    { server: hook },
    'server.headers',
    [
      [{ server: { ...hook, headers: { A: '' } } }, { A: '' }],
      [{ server: { ...hook, headers: null } }, undefined],
    ],
  ],
  [
    'an empty message before a transfer',
    number,
    { fallback_destination: fallback },
    'fallbackDestination.message',
    [
      [{ fallback_destination: { ...fallback, message: '' } }, ''],
      [{ fallback_destination: { ...fallback, message: null } }, undefined],
    ],
  ],
]

describe('what is set, emptied or taken away is so on the live platform', () => {
  test.each(cases)('%s', async (_, make, first, path, steps) => {
    const subject = await make(first)
    const formerly = valueIn(await subject.live(), path)
    for (const [body, live] of steps) {
      await subject.put(body)
      expect(valueIn(await subject.live(), path)).toEqual(live)
      await subject.put(body)
      expect(lastSent()).toEqual([])
    }
    expect(await rig.sweep()).toEqual([])
    if (!subject.at.startsWith('/assistants')) return

    const log = await rig.data<Body[]>('GET', `${subject.at}/update-log`)
    expect(log).toHaveLength(steps.length + 1)
    const updates = log.filter(({ action }) => action === 'updated')
    expect(updates.filter(({ changes }) => (changes as Body[]).length === 0)).toEqual([])
    expect(updates.filter(({ summary }) => summary === 'Changed the live configuration.')).toEqual([])
    const compared = await rig.data('GET', `${subject.at}/update-log/${log[1]?.id}/compare/${log[0]?.id}`)
    expect(compared.changes).toHaveLength(1)

    await rig.data('POST', `${subject.at}/update-log/${log[1]?.id}/restore`)
    expect(valueIn(await subject.live(), path)).toEqual(steps.length > 1 ? steps.at(-2)?.[1] : formerly)
  })

  test.each(cases)(
    '%s: also where only the live object differs, once ours is to be kept',
    async (_, make, first, path, steps) => {
      const subject = await make(first)
      const [[body] = [{}]] = steps
      const before = await subject.live()
      await subject.put(body)
      const after = await subject.live()
      const [field = ''] = path.split('.')
      await subject.outside({ [field]: before[field] })
      expect(await rig.sweep()).toEqual([])
      rig.platform.requests.length = 0
      for (const keep of ['theirs', 'merge']) await rig.data('POST', `${subject.at}/reconcile`, { keep })
      expect(rig.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([])
      for (const _again of [1, 2]) await rig.data('POST', `${subject.at}/reconcile`, { keep: 'ours' })
      expect(valueIn(await subject.live(), path)).toEqual(valueIn(after, path))
      expect(rig.platform.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
    },
  )
})

test('an empty greeting of all members is none on a test call, and theirs is back once it is taken away', async () => {
  const subject = await squad({})
  const spoken = async () =>
    (await rig.data('POST', `${subject.at}/test-calls`, { messages: ['Good day'] })).transcript as string
  expect(await spoken()).toContain('Hi')
  for (const [membersOverrides, greeting] of [
    [{ firstMessage: '' }, undefined],
    [null, 'AI: Hi'],
    [{ firstMessage: 'Override' }, 'AI: Override'],
    [{ firstMessage: '' }, undefined],
    [null, 'AI: Hi'],
  ] as const) {
    await subject.put({ membersOverrides })
    const [first] = (await spoken()).split('\n')
    expect(first).toBe(greeting ?? 'User: Good day')
  }
})

describe('a platform that shows what is empty in its own way', () => {
  const adding = (live: object) => ({
    ...live,
    metadata: { ...(valueIn(live, 'metadata') as object), extra: '', more: [] },
  })

  test.each<[string, typeof shown]>([
    ['and drops it', (live) => dropping(live) as object],
    ['and adds some', adding],
  ])('%s: nothing is drift, and nothing is written again', async (_, way) => {
    shown = way
    try {
      const { put, at } = await assistant({ metadata: { company_name: '', location: 'x' } })
      const unsent = async () => {
        await put({})
        expect(lastSent()).toEqual([])
        rig.platform.requests.length = 0
        await rig.data('POST', `${at}/reconcile`, { keep: 'ours' })
        expect(rig.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([])
        expect(await rig.sweep()).toEqual([])
      }
      await unsent()
      await put({ metadata: { company_name: null, always_say: [] } })
      expect(lastSent()).toEqual(['metadata'])
      await unsent()
    } finally {
      shown = (live) => live
    }
  })

  test.each(['theirs', 'merge'])(
    'and drops it: what was emptied outside is taken on without a write: %s',
    async (keep) => {
      const { outside, put, at } = await assistant({ firstMessage: 'Hi', endCallPhrases: ['Bye'] })
      await outside({ firstMessage: '', endCallPhrases: [] })
      shown = (live) => dropping(live) as object
      try {
        rig.platform.requests.length = 0
        const kept = await rig.data('POST', `${at}/reconcile`, { keep })
        expect(kept).toMatchObject({ first_message: '', end_call_phrases: [] })
        expect(rig.platform.requests.filter(({ method }) => method !== 'GET')).toEqual([])
        await put({})
        expect(lastSent()).toEqual([])
      } finally {
        shown = (live) => live
      }
    },
  )
})
