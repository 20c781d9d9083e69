import { describe, expect, test } from 'vitest'
import { createTransport } from '../../src/voice-platform/transport.ts'
import { createVirtualClock } from '../support/voice-platform/virtual-clock.ts'

const pauseMs = 10_000
const breaker = { threshold: 3, pauseMs, maxPauseMs: 4 * pauseMs }

/** A call that the test ends. */
interface Call {
  ends(how: 'respond' | 'fail' | 'cancel'): Promise<void>
}

/** A transport whose calls go on until the test ends them. */
function rig() {
  const clock = createVirtualClock()
  const responses: PromiseWithResolvers<Response>[] = []
  const transport = createTransport({
    baseUrl: 'http://platform.test',
    apiKey: 'key',
    fetch: () => {
      const response = Promise.withResolvers<Response>()
      responses.push(response)
      return response.promise
    },
    clock,
    sleep: clock.sleep,
    timeoutMs: 1_000_000,
    retries: 0,
    breaker,
  })
  /** Undefined for a call that the breaker did not let through. */
  const start = async (): Promise<Call | undefined> => {
    const caller = new AbortController()
    const sent = responses.length
    const ended = transport.send({ method: 'GET', path: '/assistant', signal: caller.signal }).then(
      () => {},
      () => {},
    )
    await new Promise(setImmediate)
    const response = responses[sent]
    if (!response) return undefined
    return {
      async ends(how) {
        if (how === 'respond') response.resolve(Response.json([]))
        else if (how === 'fail') response.reject(new TypeError('connection lost'))
        else caller.abort()
        await ended
      },
    }
  }
  const started = async () => {
    const call = await start()
    if (!call) throw new Error('The call was not let through')
    return call
  }
  const opens = async () => {
    for (let count = 0; count < breaker.threshold; count += 1) await (await started()).ends('fail')
    expect(transport.breaker.state).toBe('open')
  }
  return { clock, start, started, opens, state: () => transport.breaker.state }
}

/** An open breaker whose probe is under way, and calls that began before it opened. */
async function probing() {
  const platform = rig()
  const old = [await platform.started(), await platform.started(), await platform.started()] as const
  await platform.opens()
  platform.clock.pass(pauseMs)
  return { ...platform, old, probe: await platform.started() }
}

describe('a call that began before the breaker opened', () => {
  test.each(['fail', 'cancel'] as const)('and ends while the probe is under way (%s) decides nothing', async (how) => {
    const { clock, old, probe, start, state } = await probing()
    await old[0].ends(how)
    expect(await start()).toBeUndefined()
    clock.pass(4 * pauseMs)
    expect(await start()).toBeUndefined()
    await probe.ends('fail')
    // The pause is twice as long after one probe, from its end on.
    clock.pass(2 * pauseMs - 1)
    expect(state()).toBe('open')
    clock.pass(1)
    expect(state()).toBe('half-open')
  })

  test('and fails during the pause makes it no longer', async () => {
    const { clock, started, opens, state } = rig()
    const old = await started()
    await opens()
    clock.pass(pauseMs - 1)
    await old.ends('fail')
    clock.pass(1)
    expect(state()).toBe('half-open')
  })

  test('and fails once the platform is back does not count', async () => {
    const { old, probe, started, state } = await probing()
    await probe.ends('respond')
    for (const call of old) await call.ends('fail')
    expect(state()).toBe('closed')
    for (const end of ['fail', 'fail', 'fail'] as const) await (await started()).ends(end)
    expect(state()).toBe('open')
  })

  test('and gets a response says that the platform is back, whatever becomes of the probe', async () => {
    const { old, probe, started, state } = await probing()
    await old[0].ends('respond')
    expect(state()).toBe('closed')
    await probe.ends('fail')
    for (const end of ['fail', 'fail'] as const) await (await started()).ends(end)
    expect(state()).toBe('closed')
  })
})

test('a probe that is cancelled leaves its place to another', async () => {
  const { probe, start, started, state } = await probing()
  await probe.ends('cancel')
  const next = await started()
  expect(await start()).toBeUndefined()
  await next.ends('respond')
  expect(state()).toBe('closed')
})
