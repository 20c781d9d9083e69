import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { createMirrorRig, createNetwork, type MirrorRig, type Network } from './rig.ts'

let rig: MirrorRig
afterEach(() => rig.stop())

const createFailed = {
  status: 500,
  body: { success: false, message: 'Failed to create assistant in Cloud. Please try again.' },
}

/** A network whose responses show each object under an id that is no UUID, as long as `isOdd`. */
function oddNetwork(isOdd: () => boolean): Network {
  const network = createNetwork()
  return {
    ...network,
    async fetch(input, init) {
      const request = new Request(input, init)
      const response = await network.fetch(new Request(request.url.replace('object_', ''), request))
      if (!isOdd()) return response
      const text = await response.text()
      return new Response(text.replaceAll('"id":"', '"id":"object_'), response)
    },
  }
}

describe('a platform whose objects have ids that are no UUIDs', () => {
  let isOdd: boolean
  let operator: string
  beforeEach(async () => {
    isOdd = true
    rig = await createMirrorRig({ network: oddNetwork(() => isOdd) })
    operator = (await newUser(rig.database, { role: 'admin' })).token
  })

  const asOperator = async (path: string, body: object) => {
    const answer = await rig.app.send('POST', path, { token: operator, body })
    return { status: answer.status, body: await answer.json() }
  }
  const baseConfig = async () => {
    const { body } = await asOperator('/admin/base-configs', { name: 'Base', config: {} })
    return Number(body.data.id)
  }
  const live = async () => {
    const { assistants, tools, phoneNumbers } = rig.app.services.platform
    return [...(await assistants.list()), ...(await tools.list()), ...(await phoneNumbers.list())]
  }

  test.each<[string, () => Promise<{ status: number; body: unknown }>, object]>([
    ['an assistant', () => rig.send('POST', '/assistants', { name: 'Odd' }), createFailed],
    [
      'an assistant of v2',
      async () => rig.send('POST', '/v2/assistants', { name: 'Odd', base_config_id: await baseConfig() }),
      createFailed,
    ],
    [
      'a tool',
      () => asOperator('/admin/tools', { label: 'Odd', description: 'x', scope: 'global', type: 'endCall' }),
      { status: 502, body: { success: false } },
    ],
  ])('%s is the documented error, and what was made goes', async (_what, create, failure) => {
    expect(await create()).toMatchObject(failure)
    expect(await rig.settle()).toEqual([])
    expect(await live()).toEqual([])
  })

  test('what it refuses to delete is left, and looked for no more', async () => {
    rig.network.platform.faults.add({ method: 'DELETE', mode: 'status', status: 400, times: 1_000 })
    expect(await rig.send('POST', '/assistants', { name: 'Odd' })).toEqual(createFailed)
    expect(await rig.settle()).toEqual([expect.stringMatching(/is an orphan on the platform$/)])
    expect(await live()).toHaveLength(1)
  })

  test('a number stays unregistered until it has another', async () => {
    const phone_number = nextNumber()
    const bought = await rig.send('POST', '/phone-numbers', { phone_number })
    expect(bought).toMatchObject({ status: 201, body: { data: { voice_phone_number_id: null } } })
    expect(await rig.settle()).toEqual([])
    expect(await live()).toEqual([])
    isOdd = false
    await rig.app.services.phoneNumbers.sync(phone_number)
    const [registered] = await live()
    const read = await rig.send('GET', `/phone-numbers/${phone_number}`)
    expect(read).toMatchObject({ status: 200, body: { data: { voice_phone_number_id: registered?.id } } })
  })
})

test('a create that is answered with such an id, of an object that has a UUID, is found', async () => {
  const network = createNetwork()
  rig = await createMirrorRig({
    network: {
      ...network,
      async fetch(input, init) {
        const response = await network.fetch(input, init)
        if (init?.method !== 'POST') return response
        return Response.json({ ...(await response.json()), id: 'object_1' }, { status: 201 })
      },
    },
  })
  const { ref } = await rig.create('Found')
  expect(await rig.settle()).toEqual([])
  const [found] = await rig.app.services.platform.assistants.list()
  const read = await rig.send('GET', `/assistants/${ref}`)
  expect(read).toMatchObject({ status: 200, body: { data: { voice_assistant_id: found?.id } } })
})
