import { describe, expect, onTestFinished, test } from 'vitest'
import { answered } from '../support/crash/messages.ts'
import { type Child, type CrashRig, createCrashRig } from '../support/crash/rig.ts'
import { deaths } from '../support/numbers/deaths.ts'

interface PhoneNumber {
  id: number
  phone_number: string
  voice_phone_number_id: string | null
  voice_assistant_id: string | null
  voice_squad_id: string | null
}

const settleMs = 60_000

async function dataOf(answer: Response | undefined, status = 200) {
  if (answer?.status !== status) throw new Error(`Answered ${answer?.status}: ${await answer?.text()}`)
  return (await answer.json()).data
}

const offer = async (child: Child): Promise<string[]> =>
  (await dataOf(await child.send('GET', '/phone-numbers/available?area_code=415'))).map(
    (one: PhoneNumber) => one.phone_number,
  )
const held = async (child: Child): Promise<PhoneNumber[]> =>
  dataOf(await child.send('GET', '/phone-numbers?per_page=100'))

/** Why a number is not the same everywhere: recorded, on the platform and at the carrier; undefined when it is. */
async function apart(rig: CrashRig, child: Child, number: string): Promise<string | undefined> {
  const offered = (await offer(child)).includes(number)
  const row = (await held(child)).find(({ phone_number }) => phone_number === number)
  const live = await rig.platform.phoneNumbers.findByNumber(number)
  if (!row) return live ? 'it is on the platform alone' : offered ? undefined : 'it is paid for and nobody has it'
  if (offered) return 'it is recorded and not bought'
  if (!live || live.id !== row.voice_phone_number_id) return 'it is not registered'
  const { assistantId = null, squadId = null } = live
  if (assistantId !== row.voice_assistant_id || squadId !== row.voice_squad_id) return 'it leads elsewhere'
  return undefined
}

/** The number as it is recorded once it is the same everywhere. */
async function settled(rig: CrashRig, child: Child, number: string): Promise<PhoneNumber | undefined> {
  for (const deadline = performance.now() + settleMs; ; await Bun.sleep(50)) {
    const problem = await apart(rig, child, number)
    if (!problem) break
    if (performance.now() > deadline) throw new Error(problem)
  }
  await child.settled()
  return (await held(child)).find(({ phone_number }) => phone_number === number)
}

const newAssistant = async (child: Child) => dataOf(await child.send('POST', '/assistants', { name: 'Desk' }), 201)
const buy = async (child: Child, number: string) =>
  dataOf(await child.send('POST', '/phone-numbers', { phone_number: number }), 201)

/** A request that a server may not survive. `check` sees the number as it is recorded afterwards. */
interface Case {
  prepare(child: Child, number: string): Promise<string>
  send(child: Child, number: string, prepared: string): Promise<Response | undefined>
  check(child: Child, row: PhoneNumber | undefined, prepared: string, done: boolean): Promise<void> | void
}

const cases = {
  'an assistant is created with a number': {
    prepare: async () => crypto.randomUUID().slice(0, 8),
    send: (child, number, name) => child.send('POST', '/assistants', { name, selected_phone_number: number }),
    async check(child, row, name, done) {
      const made = await dataOf(await child.send('GET', `/assistants?search=${name}`))
      expect(made.length).toBeLessThanOrEqual(1)
      if (done) expect(made).toHaveLength(1)
      if (made.length === 0) expect(row?.voice_assistant_id ?? null).toBeNull()
      else expect(row?.voice_assistant_id).toBe(made[0].voice_assistant_id)
      expect(made[0]?.phone_number).toBe(made.length === 0 ? undefined : row?.phone_number)
    },
  },
  'an assistant that has a number is deleted': {
    async prepare(child, number) {
      await buy(child, number)
      const { assistant_id } = await newAssistant(child)
      await dataOf(await child.send('PUT', `/phone-numbers/${number}`, { voice_assistant_id: assistant_id }))
      return assistant_id
    },
    send: (child, _number, id) => child.send('DELETE', `/assistants/${id}`),
    async check(child, row, id, done) {
      const { status } = (await child.send('GET', `/assistants/${id}`)) ?? {}
      if (done) expect(status).toBe(404)
      expect(row?.voice_assistant_id === null).toBe(status === 404)
    },
  },
  'a number is released': {
    async prepare(child, number) {
      await buy(child, number)
      return number
    },
    send: (child, number) => child.send('DELETE', `/phone-numbers/${number}`),
    check: (_child, row, _number, done) => {
      if (done) expect(row).toBeUndefined()
    },
  },
} satisfies Record<string, Case>

/**
 * Has a server die after each step of a request that `dying` takes, and expects the number to be the same everywhere.
 */
async function die(rig: CrashRig, { prepare, send, check }: Case, dying: (step: string) => boolean): Promise<void> {
  let child = await rig.start()
  const next = async () => (await offer(child))[0] ?? ''

  const first = await next()
  const prepared = await prepare(child, first)
  await child.arm()
  expect((await send(child, first, prepared))?.ok).toBe(true)
  const steps = deaths(await child.steps())
  expect(steps).toEqual(expect.arrayContaining([expect.stringMatching(/ is done/), `${answered} (1)`]))

  for (const step of steps.filter(dying)) {
    const number = await next()
    const thing = await prepare(child, number)
    await child.arm(step)
    const response = await send(child, number, thing)
    if (!response) {
      expect(await child.killedAt()).toBe(step)
      child = await rig.start()
    }
    const done = response?.ok === true || step.startsWith(answered)
    await check(child, await settled(rig, child, number), thing, done)
  }
}

const deletion = 'an assistant that has a number is deleted'

test(`a server that is killed as a process while ${deletion}`, { timeout: 240_000 }, async () => {
  const rig = await createCrashRig('own process')
  onTestFinished(rig.close)
  await die(rig, cases[deletion], (step) => step.startsWith('DELETE is done'))
})

// What a death leaves outside is the same wherever the server runs; a process for each would take a second longer.
describe.concurrent('a server that dies after anything it did', { timeout: 240_000 }, () => {
  for (const [title, request] of Object.entries(cases)) {
    test(`while ${title}`, async ({ onTestFinished }) => {
      const rig = await createCrashRig('this process')
      onTestFinished(rig.close)
      await die(rig, request, () => true)
    })
  }
})
