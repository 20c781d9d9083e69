import { describe, expect, onTestFinished, test } from 'vitest'
import { answered } from '../support/crash/messages.ts'
import { type Child, type CrashRig, createCrashRig } from '../support/crash/rig.ts'
import type { LocalAssistant, LocalState } from '../support/crash/state.ts'

/** A request that a server may not survive: what is there before it, and what may be there after it. */
interface Case {
  /** Of its call to the platform. */
  method: string
  prepare(child: Child, name: string): Promise<string>
  send(child: Child, path: string, name: string): Promise<Response | undefined>
  /** What an assistant of that name is when the request had its effect; undefined: gone. */
  done: { versions: number } | undefined
  undone: { versions: number } | undefined
}

async function created(child: Child, name: string): Promise<string> {
  const answer = await child.send('POST', '/assistants', { name, firstMessage: 'Hello' })
  if (answer?.status !== 201) throw new Error(`Nothing was created: ${answer?.status}`)
  const { data } = await answer.json()
  return `/assistants/${data.assistant_id}`
}

const cases: Record<string, Case> = {
  create: {
    method: 'POST',
    async prepare(child) {
      await child.send('GET', '/assistants')
      return '/assistants'
    },
    send: (child, path, name) => child.send('POST', path, { name }),
    undone: undefined,
    done: { versions: 1 },
  },
  update: {
    method: 'PATCH',
    prepare: (child, name) => created(child, `${name} before`),
    send: (child, path, name) => child.send('PUT', path, { name, firstMessage: 'Good day' }),
    undone: { versions: 1 },
    done: { versions: 2 },
  },
  delete: {
    method: 'DELETE',
    prepare: created,
    send: (child, path) => child.send('DELETE', path),
    undone: { versions: 1 },
    done: undefined,
  },
}

const named = ({ assistants }: LocalState, name: string) => assistants.filter((one) => one.name.startsWith(name))
const shape = (found: LocalAssistant[]) => found.map(({ versions }) => ({ versions }))
const one = (state: { versions: number } | undefined) => (state ? [state] : [])

/** Dying before these leaves what dying before the step after them leaves. */
const changesNothing = /^(select|begin)\b/

/**
 * The steps that every request of a kind takes: those of two in a row. What time adds to one of them is not among the
 * other's.
 */
async function stepsOf(child: Child, request: () => Promise<void>): Promise<Set<string>> {
  const [first, second] = [new Set<string>(), new Set<string>()]
  for (const steps of [first, second]) {
    await request()
    for (const step of await child.steps()) if (!changesNothing.test(step)) steps.add(step)
  }
  return first.intersection(second)
}

/** Where a request can die at the least. */
const expected = (method: string) => {
  const save = method === 'POST' ? expect.stringContaining('delete from "live_writes"') : 'commit (1)'
  return expect.arrayContaining([`${method} is sent (1)`, `${method} is done (1)`, save, `${answered} (1)`])
}

/** The steps of a request when nothing happens to it. */
function stepsOfCase(child: Child, { prepare, send }: Case): Promise<Set<string>> {
  return stepsOf(child, async () => {
    const path = await prepare(child, 'Undisturbed')
    await child.arm()
    expect((await send(child, path, 'Undisturbed'))?.ok).toBe(true)
  })
}

/** Has servers die at these steps of a request, and looks at what the next one makes of it. */
async function die(
  rig: CrashRig,
  first: Child,
  { method, prepare, send, done, undone }: Case,
  steps: Iterable<string>,
) {
  let child = first
  const killedAt: string[] = []
  for (const [index, step] of [...steps].entries()) {
    const name = `${method} ${index}.`
    const path = await prepare(child, name)
    await child.arm(step)
    const response = await send(child, path, name)
    if (response) {
      // It was not the request's own, or it would have died there.
      expect(await child.steps()).not.toContain(step)
      expect(shape(named(await child.settled(), name))).toEqual(one(done))
      continue
    }
    killedAt.push(await child.killedAt())
    child = await rig.start()
    const found = shape(named(await child.settled(), name))
    expect(step.startsWith(answered) ? [one(done)] : [one(undone), one(done)], step).toContainEqual(found)
  }
  return { killedAt, next: child }
}

test('a server that is killed as a process after its live write', { timeout: 240_000 }, async () => {
  const rig = await createCrashRig('own process')
  onTestFinished(rig.close)
  let child = await rig.start()
  for (const operation of Object.values(cases)) {
    const step = `${operation.method} is done (1)`
    const died = await die(rig, child, operation, [step])
    expect(died.killedAt).toEqual([step])
    child = died.next
  }
})

// What a death leaves outside is the same wherever the server runs; a process for each would take a second longer.
describe.concurrent('a server that dies at every step of a request', { timeout: 240_000 }, () => {
  for (const [operation, request] of Object.entries(cases)) {
    test(operation, async ({ onTestFinished }) => {
      const rig = await createCrashRig('this process')
      onTestFinished(rig.close)
      const child = await rig.start()
      const { killedAt } = await die(rig, child, request, await stepsOfCase(child, request))
      expect(killedAt).toEqual(expected(request.method))
    })
  }

  test('a create with an Idempotency-Key, sent again', async ({ onTestFinished }) => {
    const rig = await createCrashRig('this process')
    onTestFinished(rig.close)
    let child = await rig.start()
    const send = (name: string) => child.send('POST', '/assistants', { name }, { 'idempotency-key': name })
    const warm = () => child.send('GET', '/assistants')
    const steps = await stepsOf(child, async () => {
      await warm()
      await child.arm()
      expect((await send(crypto.randomUUID()))?.status).toBe(201)
    })
    const killedAt: string[] = []
    for (const [index, step] of [...steps].entries()) {
      const name = `Number ${index}.`
      await warm()
      await child.arm(step)
      let answer = await send(name)
      if (!answer) {
        killedAt.push(await child.killedAt())
        child = await rig.start()
        for (answer = await send(name); answer?.status === 409; answer = await send(name)) await Bun.sleep(50)
      }
      if (answer?.status !== 201) throw new Error(`Killed at ${step}, the next try answers ${answer?.status}`)
      const { data } = await answer.json()
      const found = named(await child.settled(), name)
      expect(found).toMatchObject([{ ref: data.assistant_id, liveId: data.voice_assistant_id, versions: 1 }])
      expect((await send(name))?.headers.get('idempotency-replayed')).toBe('true')
    }
    expect(killedAt).toEqual(expected('POST'))
  })
})
