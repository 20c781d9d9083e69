import { expect, onTestFinished, test } from 'vitest'
import { answered } from '../support/crash/messages.ts'
import { type Child, type CrashRig, createCrashRig } from '../support/crash/rig.ts'
import { deaths } from '../support/numbers/deaths.ts'

interface Squad {
  external_squad_id: string
  status: string
  name: string
}

const settleMs = 60_000

async function dataOf(answer: Response | undefined, status = 200) {
  if (answer?.status !== status) throw new Error(`Answered ${answer?.status}: ${await answer?.text()}`)
  return (await answer.json()).data
}

/** The published squads of both sides by id and name; the journal is empty. */
async function bothSides(rig: CrashRig, child: Child): Promise<[string[], string[]]> {
  await child.settled()
  const listed: Squad[] = await dataOf(await child.send('GET', '/squads?per_page=100'))
  const local = listed.filter(({ status }) => status === 'published')
  const live = await rig.platform.squads.list({ limit: 1000 })
  return [
    local.map(({ external_squad_id, name }) => `${external_squad_id} ${name}`).sort(),
    live.map(({ id, name }) => `${id} ${name}`).sort(),
  ]
}

async function expectEqualSides(rig: CrashRig, child: Child): Promise<string[]> {
  for (const deadline = performance.now() + settleMs; ; await Bun.sleep(50)) {
    const [local, live] = await bothSides(rig, child)
    if (Bun.deepEquals(local, live)) return local
    if (performance.now() > deadline) expect(local).toEqual(live)
  }
}

const bodyOf = (name: string, assistantId: string) => ({ name, members: [{ assistantId }] })

async function drafted(child: Child, name: string): Promise<string> {
  const { external_squad_id } = await dataOf(await child.send('POST', '/squads', { name, members: [] }), 201)
  return `/squads/${external_squad_id}`
}

// What a death leaves outside is the same wherever the server runs; real processes die in the tests of assistants.
test('a server that dies after anything it did while a draft is published', { timeout: 240_000 }, async () => {
  const rig = await createCrashRig('this process')
  onTestFinished(rig.close)
  let child = await rig.start()
  const { assistant_id } = await dataOf(await child.send('POST', '/assistants', { name: 'Anna' }), 201)
  const publish = (path: string, name: string) => child.send('PUT', path, bodyOf(name, assistant_id))
  const first = await drafted(child, 'first')
  await child.arm()
  expect((await publish(first, 'first'))?.ok).toBe(true)
  const steps = deaths(await child.steps())
  expect(steps).toEqual(expect.arrayContaining([expect.stringMatching(/ is done/), `${answered} (1)`]))

  for (const [index, step] of steps.entries()) {
    const name = `Number ${index}.`
    const path = await drafted(child, name)
    await child.arm(step)
    const response = await publish(path, name)
    if (!response) {
      expect(await child.killedAt()).toBe(step)
      child = await rig.start()
    }
    const found = (await expectEqualSides(rig, child)).filter((squad) => squad.endsWith(name)).length
    if (response || step.startsWith(answered)) expect(found, step).toBe(1)
    else expect((await child.send('GET', path))?.status, step).toBe(found === 1 ? 404 : 200)
  }
})
