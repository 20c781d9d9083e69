import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'

let rig: DriftRig
let operator: string
/** The object at which our own code fails. */
let unexpected: string | undefined
beforeEach(async () => {
  unexpected = undefined
  rig = await createDriftRig({}, (client) => {
    const { get } = client.assistants
    const guarded: typeof get = async (id, options) => {
      if (id === unexpected) throw new TypeError('It has a form that nobody thought of.')
      return get(id, options)
    }
    return { ...client, assistants: { ...client.assistants, get: guarded } }
  })
  operator = await rig.operator()
  return () => rig.stop()
})

const make = async (name: string) => (await rig.outside.assistants.create({ name })).id
const fails = (method: string, ids: string[], status = 500) =>
  rig.platform.faults.add({ method, path: new RegExp(ids.join('|')), mode: 'status', status, times: 10_000 })

/** Starts an import of these objects, and has it tried so often. */
async function tried(ids: string[], times: number) {
  const { id } = await rig.data('POST', '/imports', { ids }, operator)
  const again = async (more: number) => {
    for (let tries = 0; tries < more; tries++) {
      await rig.app.database.sql`update imports set due_at = now() - interval '1 second' where finished_at is null`
      await rig.app.services.adoptions.work.run()
    }
    const { items, ...job } = await rig.data('GET', `/imports/${id}`, undefined, operator)
    const ends = (items as Body[]).map(({ name, state, reason }) => [name, state, reason])
    return { ...job, ends: ends.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)) }
  }
  return { ...(await again(times)), again }
}

const adopted = (name: string) => [name, 'adopted', null]
const refused = (name: string, reason: string) => [name, 'refused', reason]

test('several objects that the platform fails to show hold up no other, also where they are the newest', async () => {
  const whole = await make('Whole')
  await Bun.sleep(2)
  const broken = [await make('Broken 1'), await make('Broken 2')]
  fails('GET', broken)
  const reason = 'The live platform has failed 10 times to show it.'
  expect(await tried([whole, ...broken], 10)).toMatchObject({
    state: 'finished',
    error: null,
    ends: [refused('Broken 1', reason), refused('Broken 2', reason), adopted('Whole')],
  })
})

describe('an object that the platform fails to write', () => {
  const afterTries = (count: number) => `The live platform has failed ${count} times to take our reference.`

  test('holds up no other, and is refused after ten tries where another is written meanwhile', async () => {
    const whole = await make('Whole')
    await Bun.sleep(2)
    // The newest is the first of an import.
    const broken = await make('Broken')
    fails('PATCH', [broken])
    const { again, ...first } = await tried([whole, broken], 1)
    expect(first).toMatchObject({ state: 'running', ends: [['Broken', 'pending', null], adopted('Whole')] })
    expect(await again(8)).toMatchObject({ state: 'running' })
    expect(await again(1)).toMatchObject({
      state: 'finished',
      ends: [refused('Broken', afterTries(10)), adopted('Whole')],
    })
  })

  test('is refused after a hundred tries where no other is written', async () => {
    const broken = await make('Broken')
    fails('PATCH', [broken])
    const { again, ...first } = await tried([broken], 99)
    expect(first).toMatchObject({ state: 'running', ends: [['Broken', 'pending', null]] })
    expect(await again(1)).toMatchObject({ state: 'finished', ends: [refused('Broken', afterTries(100))] })
  }, 60_000)

  test('lets no more than a few others be tried with it while none is written', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => make(`Broken ${at}`)))
    fails('PATCH', ids)
    rig.platform.requests.length = 0
    await tried(ids, 1)
    const written = rig.platform.requests.filter(({ method }) => method === 'PATCH').map(({ path }) => path)
    expect(new Set(written).size).toBe(5)
  })
})

test('an object at which our own work fails holds up no other, and is refused after ten tries', async () => {
  const whole = await make('Whole')
  await Bun.sleep(2)
  unexpected = await make('Strange')
  const reason = 'Taking it over has failed 10 times.'
  expect(await tried([whole, unexpected], 10)).toMatchObject({
    state: 'finished',
    ends: [refused('Strange', reason), adopted('Whole')],
  })
})

test('no object is refused because the platform refuses our key', async () => {
  const id = await make('Ann')
  fails('GET', [id], 401)
  const { again, ...waiting } = await tried([id], 11)
  expect(waiting).toMatchObject({ state: 'running', error: expect.any(String), ends: [['Ann', 'pending', null]] })
  rig.platform.faults.clear()
  expect(await again(1)).toMatchObject({ state: 'finished', error: null, ends: [adopted('Ann')] })
})
