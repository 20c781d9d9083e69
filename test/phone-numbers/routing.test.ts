import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { apart, type Caller, caller } from '../support/numbers/rig.ts'
import { changeNumber, makeDue } from '../support/rows/numbers.ts'

let app: TestApp
let me: Caller
let number: string
let path: string

beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
})
beforeEach(async () => {
  app.platform.faults.clear()
  number = (await me.number()).phone_number
  path = `/phone-numbers/${number}`
})

const put = async (body: unknown) => {
  const answer = await me.send('PUT', path, body)
  return { status: answer.status, body: await answer.json() }
}
const live = async (which = number) => ({ ...(await app.services.platform.phoneNumbers.findByNumber(which)) })
const read = async (which: string) => (await (await me.send('GET', which)).json()).data
const carried = async (assistant: { assistant_id: string }) => {
  const { phone_number, phone_number_id } = await read(`/assistants/${assistant.assistant_id}`)
  return { phone_number, phone_number_id }
}
const nothing = { phone_number: null, phone_number_id: null }
const targetsIn = ({
  voice_assistant_id,
  voice_squad_id,
  voice_workflow_id,
  assistant_id,
}: Record<string, unknown>) => ({
  voice_assistant_id,
  voice_squad_id,
  voice_workflow_id,
  assistant_id,
})
const noTarget = { voice_assistant_id: null, voice_squad_id: null, voice_workflow_id: null, assistant_id: null }

test('a number goes to an assistant, to another, to a squad, to a workflow and back, both sides equal at every step', async () => {
  const first = await me.assistant()
  const second = await me.assistant()
  const squad = await me.squad([first.assistant_id])
  const { voice_phone_number_id } = await read(path)
  const here = { phone_number: number, phone_number_id: voice_phone_number_id }
  const toFirst = { ...noTarget, voice_assistant_id: first.voice_assistant_id, assistant_id: first.id }

  const steps: [object, object, object, object, object][] = [
    [
      { voice_assistant_id: first.voice_assistant_id },
      toFirst,
      { assistantId: first.voice_assistant_id },
      here,
      nothing,
    ],
    [
      { voice_assistant_id: second.assistant_id },
      { ...noTarget, voice_assistant_id: second.voice_assistant_id, assistant_id: second.id },
      { assistantId: second.voice_assistant_id },
      nothing,
      here,
    ],
    [
      { voice_squad_id: squad.external_squad_id },
      { ...noTarget, voice_squad_id: squad.external_squad_id },
      { squadId: squad.external_squad_id },
      nothing,
      nothing,
    ],
    [{ voice_workflow_id: 'w-1' }, { ...noTarget, voice_workflow_id: 'w-1' }, { workflowId: 'w-1' }, nothing, nothing],
    [
      { voice_assistant_id: first.assistant_id, voice_squad_id: null, voice_workflow_id: null },
      toFirst,
      { assistantId: first.voice_assistant_id },
      here,
      nothing,
    ],
    [{ name: 'No change of target' }, toFirst, { assistantId: first.voice_assistant_id }, here, nothing],
    [{ voice_assistant_id: null }, noTarget, {}, nothing, nothing],
  ]
  for (const [body, targets, upstream, one, two] of steps) {
    const saved = await put(body)
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect(targetsIn(saved.body.data)).toEqual(targets)
    const { assistantId, squadId, workflowId } = {
      assistantId: undefined,
      squadId: undefined,
      workflowId: undefined,
      ...(await live()),
    }
    expect({ assistantId, squadId, workflowId }).toEqual({
      assistantId: undefined,
      squadId: undefined,
      workflowId: undefined,
      ...upstream,
    })
    expect([await carried(first), await carried(second)]).toEqual([one, two])
    expect(await apart(app, number)).toEqual([])
  }
  expect((await put({ voice_assistant_id: first.assistant_id })).body.data.assistant).toEqual({
    id: first.id,
    name: first.name,
    voice_assistant_id: first.voice_assistant_id,
  })
})

test('each move is an entry in the histories of both assistants, and none of them can be restored', async () => {
  const first = await me.assistant()
  const second = await me.assistant()
  await put({ voice_assistant_id: first.assistant_id })
  await put({ voice_assistant_id: second.assistant_id })
  await put({ voice_assistant_id: second.assistant_id })
  const entries = async (assistant: { assistant_id: string }) =>
    (await read(`/assistants/${assistant.assistant_id}/update-log`)).map(
      ({ action, source, changes, restorable, is_current }: Record<string, unknown>) => ({
        action,
        source,
        changes,
        restorable,
        is_current,
      }),
    )
  const moved = (from: string | null, to: string | null) => ({
    action: 'updated',
    source: 'phone_number',
    changes: [{ path: 'phone_number', from, to }],
    restorable: false,
    is_current: false,
  })
  const created = expect.objectContaining({ source: 'regular', restorable: true, is_current: true })
  expect(await entries(first)).toEqual([moved(number, null), moved(null, number), created])
  expect(await entries(second)).toEqual([moved(null, number), created])
  const [newest] = await read(`/assistants/${first.assistant_id}/update-log`)
  const restored = await me.send('POST', `/assistants/${first.assistant_id}/update-log/${newest.id}/restore`)
  expect(restored.status).toBe(422)
})

test('an assistant that loses one of its numbers carries another that still leads to it', async () => {
  const assistant = await me.assistant()
  const other = await me.number()
  await me.data(200, 'PUT', `/phone-numbers/${other.id}`, { voice_assistant_id: assistant.assistant_id })
  await put({ voice_assistant_id: assistant.assistant_id })
  expect((await carried(assistant)).phone_number).toBe(number)
  await put({ voice_assistant_id: null })
  expect((await carried(assistant)).phone_number).toBe(other.phone_number)
})

describe('a target is refused', () => {
  const conflict = {
    success: false,
    message: 'Choose only one inbound target — an assistant, a squad, or a workflow.',
    errors: { voice_assistant_id: ['Only one inbound target may be set.'] },
  }

  test.each([
    [{ voice_assistant_id: 'a', voice_squad_id: 'b' }],
    [{ voice_squad_id: 'b', voice_workflow_id: 'c' }],
    [{ voice_assistant_id: 'a', voice_squad_id: 'b', voice_workflow_id: 'c' }],
  ])('with another one: %j', async (body) => {
    expect(await put(body)).toEqual({ status: 422, body: conflict })
  })

  test('that the account does not have', async () => {
    const other = await caller(app)
    const theirs = await other.assistant()
    const theirSquad = await other.squad([theirs.assistant_id])
    const draft = await me.data(201, 'POST', '/squads', { name: 'Draft', members: [] })
    const cases: [string, string][] = [
      ['voice_assistant_id', theirs.assistant_id],
      ['voice_assistant_id', theirs.voice_assistant_id],
      ['voice_assistant_id', crypto.randomUUID()],
      ['voice_assistant_id', 'no uuid'],
      ['voice_squad_id', theirSquad.external_squad_id],
      ['voice_squad_id', String(draft.external_squad_id)],
      ['voice_squad_id', 'nothing'],
    ]
    for (const [field, id] of cases) {
      expect(await put({ [field]: id }), `${field} ${id}`).toEqual({
        status: 422,
        body: {
          success: false,
          message: `The selected ${field} does not exist.`,
          errors: { [field]: [`The selected ${field} does not exist.`] },
        },
      })
    }
    expect(targetsIn(await read(path))).toEqual(noTarget)
  })
})

test('deleting an assistant takes it off its numbers on both sides', async () => {
  const assistant = await me.assistant()
  await put({ voice_assistant_id: assistant.assistant_id })
  expect((await me.send('DELETE', `/assistants/${assistant.assistant_id}`)).status).toBe(200)
  expect(targetsIn(await read(path))).toEqual(noTarget)
  expect(await live()).not.toHaveProperty('assistantId')
  expect(await apart(app, number)).toEqual([])
})

describe('routing moves updated_at of what it changes', () => {
  const record = async (at: string) => {
    const answer = await me.send('GET', at)
    return { etag: answer.headers.get('etag'), ...(await answer.json()).data }
  }
  const newest = async (at: string) => (await read(`${at}/update-log`))[0]

  test('attached to an assistant and taken away, as late as the entry in its history', async () => {
    const assistant = await me.assistant()
    const other = await me.assistant()
    const at = `/assistants/${assistant.assistant_id}`
    const steps: [string, () => Promise<unknown>][] = [
      ['attached', () => put({ voice_assistant_id: assistant.assistant_id })],
      ['led elsewhere', () => put({ voice_assistant_id: other.assistant_id })],
      ['attached again', () => put({ voice_assistant_id: assistant.assistant_id })],
      ['released', () => me.send('DELETE', path)],
    ]
    for (const [step, act] of steps) {
      const before = await record(at)
      await act()
      const after = await record(at)
      const entry = await newest(at)
      expect([after.updated_at, after.metadata.updated_at], step).toEqual([entry.created_at, entry.created_at])
      expect(after.updated_at > before.updated_at, step).toBe(true)
      expect(after.etag, step).not.toBe(before.etag)
    }
  })

  test('of a number whose target is deleted', async () => {
    const assistant = await me.assistant()
    const squad = await me.squad([(await me.assistant()).assistant_id])
    const targets: [object, string][] = [
      [{ voice_assistant_id: assistant.assistant_id }, `/assistants/${assistant.assistant_id}`],
      [{ voice_squad_id: squad.external_squad_id }, `/squads/${squad.external_squad_id}`],
    ]
    for (const [body, target] of targets) {
      await put(body)
      const before = await record(path)
      expect((await me.send('DELETE', target)).status).toBe(200)
      const after = await record(path)
      expect(after.updated_at > before.updated_at, target).toBe(true)
      expect(after.etag, target).not.toBe(before.etag)
    }
  })

  test('of a number, and the assistant that carries it, once the platform gives it an id', async () => {
    const assistant = await me.assistant()
    await put({ voice_assistant_id: assistant.assistant_id })
    const at = `/assistants/${assistant.assistant_id}`
    await changeNumber(app.database, number, { voicePhoneNumberId: null, syncDueAt: new Date(0) })
    const before = [await record(path), await record(at)]
    await app.services.phoneNumbers.work.run()
    const after = [await record(path), await record(at)]
    expect(after[0].voice_phone_number_id).toBe(after[1].phone_number_id)
    for (const index of [0, 1]) expect(after[index].updated_at > before[index].updated_at).toBe(true)
  })
})

test('a number is not led to an assistant that is being deleted', async () => {
  const assistant = await me.assistant()
  app.platform.faults.add({ method: 'DELETE', path: /assistant/, mode: 'delay', ms: 1_500 })
  const before = app.platform.requests.length
  const deleting = me.send('DELETE', `/assistants/${assistant.assistant_id}`)
  const asked = () => app.platform.requests.slice(before).map(({ method }) => method)
  await expect.poll(asked, { timeout: 10_000 }).toContain('DELETE')
  const { status, body } = await put({ voice_assistant_id: assistant.assistant_id })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['voice_assistant_id']])
  expect((await deleting).status).toBe(200)
  expect(targetsIn(await read(path))).toEqual(noTarget)
  expect(await live()).not.toHaveProperty('assistantId')
  expect(await apart(app, number)).toEqual([])
})

test('deleting a squad takes it off its numbers on both sides', async () => {
  const assistant = await me.assistant()
  const squad = await me.squad([assistant.assistant_id])
  await put({ voice_squad_id: squad.external_squad_id })
  expect((await me.send('DELETE', `/squads/${squad.external_squad_id}`)).status).toBe(200)
  expect(targetsIn(await read(path))).toEqual(noTarget)
  expect(await live()).not.toHaveProperty('squadId')
  expect(await apart(app, number)).toEqual([])
})

test('when the platform does not answer after a target was deleted, the background tells it later', async () => {
  const assistant = await me.assistant()
  await put({ voice_assistant_id: assistant.assistant_id })
  app.platform.faults.add({ method: 'PATCH', path: /phone-number/, mode: 'refuse', times: 3 })
  expect((await me.send('DELETE', `/assistants/${assistant.assistant_id}`)).status).toBe(200)
  expect(await apart(app, number)).toEqual(['it is still to be told'])
  await makeDue(app.database, number)
  await app.services.phoneNumbers.work.run()
  expect(await live()).not.toHaveProperty('assistantId')
  expect(await apart(app, number)).toEqual([])
})

test('releasing a number takes it off its assistant', async () => {
  const assistant = await me.assistant()
  await put({ voice_assistant_id: assistant.assistant_id })
  expect((await me.send('DELETE', path)).status).toBe(200)
  expect(await carried(assistant)).toEqual(nothing)
  expect(await live()).toEqual({})
})
