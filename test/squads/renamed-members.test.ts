import { beforeEach, describe, expect, test } from 'vitest'
import { markUnfinished } from '../../src/voice-platform/mirror/journal/mark.ts'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string) => rig.data('POST', '/assistants', { name })
const rename = (assistant: Body, name: string) => rig.data('PUT', `/assistants/${assistant.assistant_id}`, { name })
const to = (assistantName: string, more: Body = {}) => ({ type: 'assistant', assistantName, ...more })
const tool = (assistantName: string) => ({ type: 'handoff', destinations: [to(assistantName)] })

/** A squad in which Ann hands over to Bob, by a destination and by a tool of her overrides. */
async function team(more: Body[] = [], isDraft = false) {
  const [ann, bob] = [await make('Ann'), await make('Bob')]
  const members = [
    {
      assistantId: ann.assistant_id,
      assistantDestinations: [to('Bob', { description: 'Billing' })],
      assistantOverrides: { model: { tools: [tool('Bob')] }, metadata: { destinations: [to('Bob')] } },
    },
    { assistantId: bob.assistant_id },
    ...more,
  ]
  const draft = await rig.data('POST', '/squads', { name: 'Team', members })
  const id = String(draft.external_squad_id)
  const squad = isDraft ? draft : await rig.data('PUT', `/squads/${id}`, { name: 'Team', members })
  return { ann, bob, id: String(squad.external_squad_id) }
}

interface Member {
  assistantId: string
  assistantDestinations?: { assistantName: string; message?: string }[]
  assistantOverrides?: { model?: { tools: { destinations: { assistantName: string }[] }[] }; metadata: Body }
}

/** Whom the member that hands over names, in a destination and in a tool. */
function namedBy({ members }: { members?: unknown }) {
  const one = (members as Member[]).find(({ assistantOverrides }) => assistantOverrides?.model)
  const tools = one?.assistantOverrides?.model?.tools ?? []
  return [...(one?.assistantDestinations ?? []), ...tools.flatMap(({ destinations }) => destinations)].map(
    ({ assistantName }) => assistantName,
  )
}
const recorded = async (id: string) => namedBy(await rig.data('GET', `/squads/${id}`))
const live = async (id: string) => namedBy(await rig.outside.squads.get(id))

const renames: [how: string, rename: (bob: Body) => Promise<unknown>][] = [
  ['by its editor', (bob) => rename(bob, 'Robert')],
  [
    'by a version that is restored',
    async (bob) => {
      await rename(bob, 'Robert')
      await rig.settle()
      await rename(bob, 'Someone')
      const [, robert] = await rig.data<Body[]>('GET', `/assistants/${bob.assistant_id}/update-log`)
      await rig.data('POST', `/assistants/${bob.assistant_id}/update-log/${robert?.id}/restore`)
    },
  ],
  [
    'on the platform, which a reconcile takes on',
    async (bob) => {
      await rig.outside.assistants.update(String(bob.voice_assistant_id), { name: 'Robert' })
      await rig.data('POST', `/assistants/${bob.assistant_id}/reconcile`, { keep: 'theirs' })
    },
  ],
  [
    'on the platform, which recovery meets',
    async (bob) => {
      await rig.outside.assistants.update(String(bob.voice_assistant_id), { name: 'Robert' })
      await markUnfinished(rig.app.database.db, { kind: 'assistant', ref: String(bob.assistant_id) })
      await rig.settle()
    },
  ],
]

describe('a member that is renamed', () => {
  test.each(renames)('%s is handed over to by its new name, on both sides (squads 19)', async (_how, renamed) => {
    const { bob, id } = await team()
    await renamed(bob)
    expect(await recorded(id)).toEqual(['Robert', 'Robert'])
    await rig.settle()
    expect(await live(id)).toEqual(['Robert', 'Robert'])
    expect(await rig.sweep()).toEqual([])
    const { members: read } = await rig.data('GET', `/squads/${id}`)
    expect((read as Member[])[0]?.assistantOverrides?.metadata).toEqual({ destinations: [to('Bob')] })
    await rig.data('PUT', `/squads/${id}`, { name: 'Crew', members: read })
    expect(await live(id)).toEqual(['Robert', 'Robert'])
  })

  test('leaves what somebody changed in the squad on the platform as it is', async () => {
    const { bob, id } = await team()
    const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
    const theirs = await rig.outside.squads.get(id)
    const kept = { assistantId: stranger.id, assistantDestinations: [to('Ann')] }
    const [first, second] = theirs.members
    const said = { ...first, assistantDestinations: [to('Bob', { description: 'Billing', message: 'One moment' })] }
    await rig.outside.squads.update(id, { members: [kept, said, second] as never })
    await rename(bob, 'Robert')
    await rig.settle()
    const now = await rig.outside.squads.get(id)
    expect(now.members).toMatchObject([
      kept,
      { assistantDestinations: [{ assistantName: 'Robert', message: 'One moment' }] },
      { assistantId: second?.assistantId },
    ])
    expect(await recorded(id)).toEqual(['Robert', 'Robert'])
    expect(await rig.sweep()).toEqual([])
    await rename(bob, 'Bobby')
    await rig.settle()
    expect((await rig.outside.squads.get(id)).members).toMatchObject([
      kept,
      { assistantDestinations: [{ assistantName: 'Bobby', message: 'One moment' }] },
      {},
    ])
    expect(await rig.sweep()).toEqual([])
  })

  test.each(['ours', 'theirs', 'merge'])(
    'keeps its new name in a reconcile with %s before it was told',
    async (keep) => {
      const { bob, id } = await team()
      await rig.outside.squads.update(id, {
        name: 'Crew',
        members: (await rig.outside.squads.get(id)).members as never,
      })
      await rename(bob, 'Robert')
      await rig.data('POST', `/squads/${id}/reconcile`, { keep })
      expect(await recorded(id)).toEqual(['Robert', 'Robert'])
      expect(await live(id)).toEqual(['Robert', 'Robert'])
      expect(await rig.data('GET', `/squads/${id}`)).toMatchObject({ name: keep === 'ours' ? 'Team' : 'Crew' })
      await rig.settle()
      expect(await rig.sweep()).toEqual([])
    },
  )

  test('is told once the platform is back', async () => {
    const { ann, bob, id } = await team()
    rig.platform.faults.add(
      { method: 'PATCH', path: /squad/, mode: 'drop_after' },
      { method: 'PATCH', path: /squad/, mode: 'drop_before' },
      { method: 'PATCH', path: /squad/, mode: 'status', status: 503, times: 3 },
    )
    await rename(bob, 'Robert')
    await rename(ann, 'Anna')
    await rename(bob, 'Ann')
    await rig.settle()
    expect(await recorded(id)).toEqual(['Ann', 'Ann'])
    expect(await live(id)).toEqual(['Ann', 'Ann'])
  })

  test.each(['a publication', 'a reconcile'])('is not named by its old name by %s that was under way', async (what) => {
    const { bob, id } = await team()
    const { members } = await rig.data('GET', `/squads/${id}`)
    const { members: theirs } = await rig.outside.squads.get(id)
    if (what === 'a reconcile') await rig.outside.squads.update(id, { name: 'X', members: theirs as never })
    rig.platform.faults.add({ method: 'PATCH', path: /squad/, mode: 'delay', ms: 500 })
    const under =
      what === 'a publication'
        ? rig.send('PUT', `/squads/${id}`, { name: 'Crew', members: members as Body[] })
        : rig.send('POST', `/squads/${id}/reconcile`, { keep: 'ours' })
    await rig.until(() => rig.platform.requests.at(-1)?.method === 'PATCH')
    await rename(bob, 'Robert')
    expect((await under).status).toBe(409)
    expect(await recorded(id)).toEqual(['Robert', 'Robert'])
    await rig.settle()
    expect(await live(id)).toEqual(['Robert', 'Robert'])
    expect(await rig.sweep()).toEqual([])
  })

  describe('to the name of a member that the platform has there besides', () => {
    /** Such a team, after the platform refused to be told; `isKnown`: a save has met that member before. */
    async function clash(besides: Body[] = [], isKnown = false) {
      const { bob, id } = await team()
      const stranger = await rig.outside.assistants.create({ name: 'Robert' })
      const [first, ...others] = (await rig.outside.squads.get(id)).members
      const handing = { ...first, assistantDestinations: [...(first?.assistantDestinations ?? []), ...besides] }
      const beside = [handing, ...others, { assistantId: stranger.id }]
      await rig.outside.squads.update(id, { members: beside as never })
      const { members } = await rig.data('GET', `/squads/${id}`)
      if (isKnown) await rig.data('PUT', `/squads/${id}`, { name: 'Team', members: members as Body[] })
      await rename(bob, 'Robert')
      await rig.settle()
      return { bob, id, stranger }
    }
    const places = [
      'members.0.assistantOverrides.model.tools.0.destinations.0.assistantName',
      'members.0.assistantDestinations.0.assistantName',
    ]

    test.each([
      ['it', [], false],
      ['it, which a save has kept', [], true],
      ['calls handed over to it', [to('Robert')], false],
    ])('is drift, and sent no more, while there is %s (drift 26)', async (_what, besides, isKnown) => {
      const { id } = await clash(besides, isKnown)
      expect(await recorded(id)).toEqual(['Robert', 'Robert'])
      expect(await live(id)).toContain('Bob')
      const open = await rig.sweep()
      expect(open).toMatchObject([{ kind: 'squad', difference: 'changed', resource: id }])
      if (besides.length === 0) {
        const leaves = places.map((path) => ({ path, base: 'Robert', ours: 'Robert', theirs: 'Bob' }))
        expect(open).toMatchObject([{ leaves }])
      }
      rig.platform.requests.length = 0
      await rig.settle()
      expect(rig.platform.requests).toEqual([])
    })

    test('is told with another new name', async () => {
      const { bob, id } = await clash()
      await rename(bob, 'Rob')
      await rig.settle()
      expect(await recorded(id)).toEqual(['Rob', 'Rob'])
      expect(await live(id)).toEqual(['Rob', 'Rob'])
      expect(await rig.sweep()).toEqual([])
    })

    test('is told by a reconcile once that one has another', async () => {
      const { id, stranger } = await clash()
      expect((await rig.send('POST', `/squads/${id}/reconcile`, { keep: 'ours' })).status).toBe(422)
      await rig.outside.assistants.update(stranger.id, { name: 'Stranger' })
      await rig.data('POST', `/squads/${id}/reconcile`, { keep: 'ours' })
      expect(await live(id)).toEqual(['Robert', 'Robert'])
      expect(await rig.sweep()).toEqual([])
    })
  })

  test('is missing with its squad where that is lost, and the platform takes no two of a name (drift 26)', async () => {
    const carl = await make('Carl')
    const { bob, id } = await team([{ assistantId: carl.assistant_id }])
    await rename(bob, 'Carl')
    await rig.settle()
    await rig.outside.squads.delete(id)
    const [row] = await rig.app.database.sql`select ref from squads`
    await markUnfinished(rig.app.database.db, { kind: 'squad', ref: String(row?.ref) })
    await rig.settle()
    expect(await rig.sweep()).toMatchObject([{ kind: 'squad', difference: 'missing', resource: id }])
  })

  test('is named anew in a draft', async () => {
    const { bob, id } = await team([], true)
    await rename(bob, 'Robert')
    expect(await recorded(id)).toEqual(['Robert', 'Robert'])
  })

  test('stays named as it is where it has a name of its own in the squad, or another member has its new one', async () => {
    const carl = await make('Carl')
    const other = await team([{ assistantId: carl.assistant_id }])
    await rename(other.bob, 'Carl')
    await rig.settle()
    expect(await recorded(other.id)).toEqual(['Bob', 'Bob'])
    const dora = await make('Dora')
    const own = await team([{ assistantId: dora.assistant_id, assistantOverrides: { name: 'Dana' } }])
    rig.platform.requests.length = 0
    await rename(dora, 'Bobby')
    await rig.settle()
    expect(await recorded(own.id)).toEqual(['Bob', 'Bob'])
    expect(rig.platform.requests.filter(({ path }) => path.includes('squad'))).toEqual([])
  })
})
