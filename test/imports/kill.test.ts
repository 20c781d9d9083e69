import { expect, test } from 'vitest'
import { type Child, createCrashRig } from '../support/crash/rig.ts'

type Body = Record<string, unknown>

/** So many objects that an import of them is killed in the middle. */
const assistants = 60
const squads = 6
const numbers = 4

async function data<T = Body>(child: Child, method: string, path: string, body?: object): Promise<T> {
  const response = await child.send(method, path, body)
  const read = await response?.json()
  if (!response?.ok) throw new Error(`${method} ${path}: ${response?.status} ${JSON.stringify(read)}`)
  return read.data
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 120_000; !(await isSo()); await Bun.sleep(5)) {
    if (performance.now() > deadline) throw new Error('It never was so')
  }
}

test('an import whose server is killed goes on, and adopts every object once', { timeout: 240_000 }, async ({
  onTestFinished,
}) => {
  const rig = await createCrashRig('own process')
  onTestFinished(rig.close)
  const { platform } = rig
  const tool = await platform.tools.create({ type: 'function', function: { name: 'look_up' } } as never)
  const made: string[] = []
  for (let place = 0; place < assistants; place += 1) {
    const model = { provider: 'openai', model: 'gpt-4o', toolIds: [tool.id] }
    made.push((await platform.assistants.create({ name: `Bulk ${place}`, model } as never)).id)
  }
  for (let place = 0; place < squads; place += 1) {
    const members = [place, place + 1].map((index) => ({ assistantId: made[index] }))
    await platform.squads.create({ name: `Team ${place}`, members } as never)
  }
  for (let place = 0; place < numbers; place += 1) {
    await platform.phoneNumbers.create({
      provider: 'twilio',
      number: `+1415555200${place}`,
      twilioAccountSid: 'AC0123456789abcdef0123456789abcdef',
      twilioAuthToken: 'token',
      assistantId: made[place],
    } as never)
  }
  const total = 1 + assistants + squads + numbers

  let child = await rig.start()
  const { id } = await data(child, 'POST', '/imports', { all: true })
  const progress = () => data(child, 'GET', `/imports/${id}`)
  for (const adopted of [10, 45]) {
    await until(async () => Number((await progress()).adopted) >= adopted)
    expect(await progress()).toMatchObject({ state: 'running', total })
    await child.kill()
    child = await rig.start()
  }
  await until(async () => (await progress()).state === 'finished')
  expect(await progress()).toMatchObject({ adopted: total, refused: 0, pending: 0, error: null })

  const records = await data<Body[]>(child, 'GET', '/assistants?per_page=100')
  expect(records.map(({ voice_assistant_id: liveId }) => liveId).sort()).toEqual([...made].sort())
  const marks = (await platform.assistants.list({ limit: 1000 })).map(({ metadata }) => metadata?.external_ref)
  expect(new Set(marks)).toEqual(new Set(records.map(({ assistant_id: ref }) => ref)))
  await data(child, 'POST', '/drift/scan')
  await until(async () => (await data(child, 'GET', '/drift/scan')).state === 'finished')
  // The server made the tools of its first catalogue on its own platform, which is not this one.
  const drift = await data<Body[]>(child, 'GET', '/drift')
  expect(drift.filter(({ kind }) => kind !== 'tool')).toEqual([])
})
