import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

type Member = Body & { assistantId: string; assistantOverrides?: Body; assistantDestinations?: Body[] }

const meetings = ['at once', 'after another save']
const to = (assistantName: string, said: Body = {}) => ({ type: 'assistant', assistantName, ...said })

/** A squad of assistants, each with one letter for its name, beside others and a stranger F of the platform. */
async function squadOf(names: string, others = '') {
  const made = new Map<string, Body>()
  for (const name of new Set(names + others)) made.set(name, await rig.data('POST', '/assistants', { name }))
  const stranger = await rig.outside.assistants.create({ name: 'F' })
  const liveIds = new Map([...made].map(([name, { voice_assistant_id: id }]) => [name, String(id)]))
  liveIds.set('F', stranger.id)
  const nameOf = (id: unknown) => [...liveIds].find(([, liveId]) => liveId === id)?.[0]
  const members = (of: string, own: Record<string, Body> = {}) =>
    [...of].map((name) => ({ assistantId: made.get(name)?.assistant_id, ...own[name] }))
  const draft = await rig.data('POST', '/squads', { name: 'Team' })
  const body = { name: 'Team', members: members(names) }
  const { external_squad_id: id } = await rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
  const path = `/squads/${id}`
  const live = async () => (await rig.outside.squads.get(String(id))).members as unknown as Member[]
  return {
    path,
    live,
    members,
    put: (list: Body[], fields: Body = {}) => rig.data('PUT', path, { name: 'Team', members: list, ...fields }),
    show: () => rig.data<Body & { members: Body[] }>('GET', path),
    order: (list: Member[]) => list.map(({ assistantId }) => nameOf(assistantId)).join(''),
    async become(of: string, own: Record<string, Body> = {}) {
      const now = await live()
      const next = [...of].map((name) => {
        const assistantId = liveIds.get(name)
        return { assistantId, ...now.find((one) => one.assistantId === assistantId), ...own[name] }
      })
      await rig.outside.squads.update(String(id), { members: next } as never)
    },
    remove: (name: string) => rig.send('DELETE', `/assistants/${made.get(name)?.assistant_id}`),
  }
}

describe('a squad into which somebody put a stranger', () => {
  const cases: [outside: string, saved: string, then: string][] = [
    ['aFbc', 'adc', 'adFc'],
    ['aFbc', 'ade', 'adeF'],
    ['aFbc', 'ac', 'aFc'],
    ['aFbc', 'bc', 'bFc'],
    ['aFbc', 'de', 'deF'],
    ['Fabc', 'bc', 'Fbc'],
    ['abFc', 'ac', 'aFc'],
    ['abFc', 'ca', 'caF'],
    ['aFbc', 'abc', 'aFbc'],
    ['aFbc', 'acb', 'aFcb'],
    ['aFbc', 'cab', 'caFb'],
    ['Fabc', 'cba', 'Fcba'],
    ['abcF', 'bcad', 'bcFad'],
    ['aFbc', 'adbc', 'adFbc'],
  ]

  test.each(meetings.flatMap((before) => cases.map((one) => [...one, before] as const)))(
    'live %s, saved as %s: is %s in the end, %s (drift 12)',
    async (outside, saved, then, before) => {
      const { become, put, members, live, order, show, remove } = await squadOf('abc', saved)
      await become(outside)
      if (before !== 'at once') await put(members('abc'))
      for (const name of ['Team', 'Crew']) {
        await put(members(saved), { name })
        expect(order(await live())).toBe(then)
        expect((await show()).members).toEqual(members(saved))
      }
      expect((await remove('b')).status).toBe(saved.includes('b') ? 409 : 200)
      expect(await rig.sweep()).toEqual([])
    },
  )

  test.each(meetings)('takes another order where the stranger hands over to one of ours, %s', async (before) => {
    const { become, put, members, live, order } = await squadOf('ab')
    await become('aFb', { F: { assistantDestinations: [to('a')] } })
    if (before !== 'at once') await put(members('ab'))
    await put(members('ba'))
    expect(order(await live())).toBe('baF')
    expect((await live())[2]?.assistantDestinations).toEqual([to('a')])
    expect(await rig.sweep()).toEqual([])
  })
})

describe('what is kept within a member', () => {
  test.each(['ba', 'bac', 'a', 'ad'])('goes with it when the squad is saved as %s', async (saved) => {
    const { become, put, members, live, order } = await squadOf('ab', saved)
    const { id } = await rig.outside.tools.create({ type: 'function', function: { name: 'theirs' } } as never)
    const theirs = { model: { provider: 'openai', model: 'gpt-4o', toolIds: [id] } }
    await become('ab', { a: { assistantOverrides: theirs } })
    for (const name of ['Team', 'Crew']) {
      await put(members(saved), { name })
      const now = await live()
      expect(order(now)).toBe(saved)
      for (const member of now) {
        const has = (member.assistantOverrides?.model as Body | undefined)?.toolIds
        expect(has).toEqual(order([member]) === 'a' ? [id] : undefined)
      }
    }
    expect(await rig.sweep()).toEqual([])
  })
})

describe('a member to whom somebody gave a stranger to hand over to', () => {
  const both = (said: Body = {}) => ({ a: { assistantDestinations: [to('b', said), to('F')] } })
  const ours = (said: Body = {}) => ({ a: { assistantDestinations: [to('b', said)] } })
  const saves: [what: string, names: string, said: Body, then: string][] = [
    ['as it was read', 'ab', {}, 'abF'],
    ['with another member', 'abc', {}, 'abcF'],
    ['in another order', 'ba', {}, 'bFa'],
    ['with another message', 'ab', { message: 'One moment' }, 'abF'],
  ]

  test.each(
    saves.flatMap((save) =>
      ['at once', 'theirs', 'merge', 'after the stranger', 'after the stranger, theirs'].map(
        (how) => [...save, how] as const,
      ),
    ),
  )('keeps both, saved %s (%s, %o): %s, %s', async (_what, names, said, then, how) => {
    const { path, become, put, members, live, order, show } = await squadOf('ab', names)
    await put(members('ab', ours()))
    if (how.startsWith('after the stranger')) {
      await become('abF')
      await put((await show()).members)
    }
    await become('abF', both())
    const keep = ['theirs', 'merge'].find((side) => how.endsWith(side))
    if (keep) await rig.data('POST', `${path}/reconcile`, { keep })
    for (const name of ['Team', 'Crew']) {
      await put(said.message || names !== 'ab' ? members(names, ours(said)) : (await show()).members, { name })
      const now = await live()
      expect(order(now)).toBe(then)
      const [first] = now.filter((member) => order([member]) === 'a')
      expect(first?.assistantDestinations).toEqual(both(said).a.assistantDestinations)
      expect((await show()).members).toEqual(members(names, ours(said)))
    }
    expect(await rig.sweep()).toEqual([])
  })

  test('keeps both where it handed over to nobody', async () => {
    const { become, put, members, live, order } = await squadOf('ab')
    await become('abF', { a: { assistantDestinations: [to('F')] } })
    await put(members('ab'), { name: 'Crew' })
    expect([order(await live()), (await live())[0]?.assistantDestinations]).toEqual(['abF', [to('F')]])
    expect(await rig.sweep()).toEqual([])
  })
})

test.each(meetings)(
  'a tool in the overrides of a squad is never written into one that somebody put before it: %s',
  async (before) => {
    const { path, put, members } = await squadOf('ab')
    const tool = (description: string) => ({ type: 'function', function: { name: 'ours', description } })
    const overrides = (description: string) => ({
      membersOverrides: { model: { provider: 'openai', model: 'gpt-4o', tools: [tool(description)] } },
    })
    await put(members('ab'), overrides('old'))
    const id = path.split('/').at(-1) ?? ''
    const live = async () =>
      (await rig.outside.squads.get(id)).membersOverrides as unknown as { model: { tools: Body[] } }
    const { model, ...others } = await live()
    const { id: stranger } = await rig.outside.assistants.create({ name: 'F' })
    const theirs = { type: 'handoff', destinations: [{ type: 'assistant', assistantId: stranger }] }
    const membersOverrides = { ...others, model: { ...model, tools: [theirs, ...model.tools] } }
    const { members: list } = await rig.outside.squads.get(id)
    await rig.outside.squads.update(id, { members: list, membersOverrides } as never)
    if (before !== 'at once') await put(members('ab'), overrides('old'))
    await put(members('ab'), overrides('new'))
    expect((await live()).model.tools).toEqual([tool('new')])
    expect(await rig.sweep()).toEqual([])
  },
)
