import { expect, test } from 'vitest'
import { type Body, createDriftRig } from '../drift/rig.ts'

/** A platform whose creates respond only when they are let go, and that says when a list of squads is asked for. */
async function slowRig() {
  const gate = Promise.withResolvers<void>()
  let beforeSquads = async () => {}
  const rig = await createDriftRig({}, (client) => ({
    ...client,
    tools: { ...client.tools, create: (...of) => client.tools.create(...of).finally(() => gate.promise) },
    assistants: {
      ...client.assistants,
      create: (...of) => client.assistants.create(...of).finally(() => gate.promise),
    },
    squads: {
      ...client.squads,
      async *pages(...of) {
        await beforeSquads()
        yield* client.squads.pages(...of)
      },
    },
  }))
  const operator = await rig.operator()
  const candidates = async () =>
    (await rig.data<Body[]>('GET', '/imports/candidates', undefined, operator)).map(({ name }) => name)
  const isLive = (path: string) =>
    rig.until(() => rig.platform.requests.some((one) => one.method === 'POST' && one.path === path))
  return {
    rig,
    operator,
    candidates,
    isLive,
    letGo: gate.resolve,
    onSquads(work: () => Promise<void>) {
      beforeSquads = work
    },
  }
}

test('a tool that is being made is no candidate, while others are', async () => {
  const { rig, operator, candidates, isLive, letGo } = await slowRig()
  await rig.outside.tools.create({ type: 'endCall' } as never)
  const { length } = await candidates()
  rig.platform.requests.length = 0
  const entry = { label: 'Find', description: 'Finds.', type: 'function', scope: 'global' }
  const made = rig.data('POST', '/admin/tools', entry, operator)
  await isLive('/tool')
  expect(await candidates()).toHaveLength(length)
  letGo()
  const { id } = await made
  expect(await rig.outside.tools.get(String(id))).toMatchObject({ id })
  expect(await candidates()).toHaveLength(length)
  await rig.stop()
})

test('an object whose record is made while the platform is listed is no candidate', async () => {
  const { rig, candidates, isLive, letGo, onSquads } = await slowRig()
  const made = rig.data('POST', '/assistants', { name: 'Ann' })
  await isLive('/assistant')
  onSquads(async () => {
    letGo()
    await made
  })
  expect(await candidates()).toEqual([])
  await rig.stop()
})
