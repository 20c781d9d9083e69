import { beforeEach, describe, expect, test } from 'vitest'
import { createMirrorRig, createNetwork, type MirrorRig } from '../mirror/rig.ts'
import { newUser } from '../support/app.ts'
import { orderTool } from './order-tool.ts'

type Body = Record<string, unknown>

let rig: MirrorRig
let token: string
beforeEach(async () => {
  rig = await createMirrorRig({ network: createNetwork(), transport: { timeoutMs: 10_000 } })
  token = (await newUser(rig.database, { role: 'admin' })).token
  return () => rig.stop()
})

const asSent = {
  ...orderTool.definition,
  type: 'function',
  function: { name: 'Find', description: orderTool.description },
}

const send = async (method: string, path: string, body?: object) => {
  const response = await rig.app.send(method, path, { token, body })
  return { status: response.status, body: (await response.json()) as { data: Body } }
}
const make = (over: object = {}) => send('POST', '/admin/tools', { ...orderTool, ...over })
const live = async () => (await rig.app.services.platform.tools.list()).map(({ id }) => id).sort()
/** Somebody on the platform's own dashboard makes an equal one. */
const outside = async () => (await rig.app.services.platform.tools.create(asSent)).id
const recover = () => rig.app.services.mirror.work.run()
const lost = (mode: 'drop_before' | 'drop_after') =>
  rig.network.platform.faults.add({ method: 'POST', path: /tool/, mode })
/** The look-up fails as well, so that recovery is the first to look. */
const unseen = () => rig.network.platform.faults.add({ method: 'GET', path: /^\/tool$/, mode: 'status', status: 400 })
const unmanaged = async () => {
  await rig.app.services.drift.request()
  await rig.app.services.drift.sweepNow()
  const { body } = await send('GET', '/drift?kind=tool')
  return (body.data as unknown as Body[]).map(({ difference, voice_id }) => [difference, voice_id]).sort()
}

describe('a tool whose create got no response', () => {
  test('is told from an equal one that was there before', async () => {
    const theirs = await outside()
    // As if it had been made a minute ago.
    const { tools } = rig.app.services.platform
    const list = tools.list
    const earlier = new Date(Date.now() - 60_000).toISOString()
    tools.list = async (filter, options) =>
      (await list(filter, options))
        .map((one) => (one.id === theirs ? { ...one, createdAt: earlier } : one))
        .filter(({ createdAt }) => !filter?.createdAtGe || String(createdAt) >= String(filter.createdAtGe))
    lost('drop_before')
    expect((await make()).status).toBe(502)
    await recover()
    expect(await live()).toEqual([theirs])
    lost('drop_after')
    const { status, body } = await make()
    expect(status).toBe(201)
    expect(await live()).toEqual([theirs, String(body.data.id)].sort())
  })

  test.each(['seen', 'unseen'])(
    'is neither taken on nor deleted where somebody made an equal one meanwhile: %s',
    async (how) => {
      const theirs = await outside()
      lost('drop_after')
      if (how === 'unseen') unseen()
      expect((await make()).status).toBe(502)
      const both = await live()
      expect(both).toHaveLength(2)
      expect(both).toContain(theirs)
      await recover()
      expect(await rig.settle()).toEqual([])
      expect(await live()).toEqual(both)
      expect(await unmanaged()).toEqual(both.map((id) => ['unmanaged', id]))
    },
  )

  test.each(['seen', 'unseen'])('leaves alone what an equal create made that is not recorded yet: %s', async (how) => {
    const other = rig.network.hold('POST')
    const created = make()
    await other.arrive({ answer: false })
    const [theirs] = await live()
    lost('drop_before')
    if (how === 'unseen') unseen()
    expect((await make()).status).toBe(502)
    await recover()
    expect(await live()).toEqual([theirs])
    other.answer()
    expect(await created).toMatchObject({ status: 201, body: { data: { id: theirs } } })
    expect(await rig.settle()).toEqual([])
    expect(await live()).toEqual([theirs])
  })

  test('is found while another one is made', async () => {
    const other = rig.network.hold('POST')
    const created = make({ label: 'Cancel' })
    await other.arrive({ answer: false })
    lost('drop_after')
    expect((await make()).status).toBe(201)
    other.answer()
    expect((await created).status).toBe(201)
    expect(await live()).toHaveLength(2)
  })

  test('is deleted where it alone can be it, and its create failed', async () => {
    lost('drop_after')
    unseen()
    expect((await make()).status).toBe(502)
    expect(await live()).toHaveLength(1)
    const { status, body } = await make()
    expect(status).toBe(201)
    expect(await rig.settle()).toEqual([])
    expect(await live()).toEqual([body.data.id])
  })
})
