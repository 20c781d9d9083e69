import { describe, expect, test } from 'vitest'
import { type Child, createCrashRig } from '../support/crash/rig.ts'
import type { LocalAssistant, LocalState } from '../support/crash/state.ts'

/** A request that a server may not survive: what is there before it, and what may be there after it. */
interface Case {
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
    async prepare(child) {
      await child.send('GET', '/assistants')
      return '/assistants'
    },
    send: (child, path, name) => child.send('POST', path, { name }),
    undone: undefined,
    done: { versions: 1 },
  },
  update: {
    prepare: (child, name) => created(child, `${name} before`),
    send: (child, path, name) => child.send('PUT', path, { name, firstMessage: 'Good day' }),
    undone: { versions: 1 },
    done: { versions: 2 },
  },
  delete: {
    prepare: created,
    send: (child, path) => child.send('DELETE', path),
    undone: { versions: 1 },
    done: undefined,
  },
}

const named = ({ assistants }: LocalState, name: string) => assistants.filter((one) => one.name.startsWith(name))
const shape = (found: LocalAssistant[]) => found.map(({ versions }) => ({ versions }))
const one = (state: { versions: number } | undefined) => (state ? [state] : [])

describe.concurrent('a server that is killed at every step of a request', { timeout: 240_000 }, () => {
  for (const [operation, { prepare, send, done, undone }] of Object.entries(cases)) {
    test(operation, async ({ onTestFinished }) => {
      const rig = await createCrashRig()
      onTestFinished(rig.close)
      let child = await rig.start()
      const first = await prepare(child, 'Undisturbed')
      await child.arm(0)
      expect((await send(child, first, 'Undisturbed'))?.ok).toBe(true)
      const steps = await child.steps()
      expect(steps.filter((step) => /(POST|PATCH|DELETE) is/.test(step))).toHaveLength(2)

      const killedAt = new Set<string>()
      for (let killAt = 1, killed = true; killed; killAt += 1) {
        const name = `Number ${killAt}.`
        const path = await prepare(child, name)
        await child.arm(killAt)
        const answer = await send(child, path, name)
        killed = answer === undefined
        let where = 'not killed'
        if (killed) {
          where = await child.killedAt()
          killedAt.add(where)
          child = await rig.start()
        } else {
          await child.arm(0)
        }
        const found = shape(named(await child.settled(), name))
        if (killed) expect([one(undone), one(done)], where).toContainEqual(found)
        else expect(found).toEqual(one(done))
        if (killed && where === 'the answer is computed') expect(found, where).toEqual(one(done))
      }
      expect([...new Set(steps).difference(killedAt)]).toEqual([])
    })
  }

  test('a create with an Idempotency-Key, sent again', async ({ onTestFinished }) => {
    const rig = await createCrashRig()
    onTestFinished(rig.close)
    let child = await rig.start()
    for (let killAt = 1, killed = true; killed; killAt += 1) {
      const name = `Keyed ${killAt}.`
      const send = () => child.send('POST', '/assistants', { name }, { 'idempotency-key': name })
      await child.send('GET', '/assistants')
      await child.arm(killAt)
      let answer = await send()
      killed = answer === undefined
      if (killed) {
        await child.killedAt()
        child = await rig.start()
        for (answer = await send(); answer?.status === 409; answer = await send()) await Bun.sleep(50)
      } else {
        await child.arm(0)
      }
      if (answer?.status !== 201) throw new Error(`Killed at step ${killAt}, the next try answers ${answer?.status}`)
      const { data } = await answer.json()
      const found = named(await child.settled(), name)
      expect(found).toMatchObject([{ ref: data.assistant_id, liveId: data.voice_assistant_id, versions: 1 }])
      expect((await send())?.headers.get('idempotency-replayed')).toBe('true')
    }
  })
})
