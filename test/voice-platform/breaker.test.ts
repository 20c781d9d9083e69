import { describe, expect, test } from 'vitest'
import type { PlatformError } from '../../src/voice-platform/errors.ts'
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
  /** A call with what becomes of it, whether or not it is let through. */
  const ask = (signal?: AbortSignal) =>
    transport.send({ method: 'GET', path: '/assistant', signal }).then(
      () => 'responded',
      (error: PlatformError) => error.detail,
    )
  const respond = (nth: number) => responses[nth]?.resolve(Response.json([]))
  const lose = (nth: number) => responses[nth]?.reject(new TypeError('connection lost'))
  const sent = () => responses.length
  return { clock, start, started, opens, ask, respond, lose, sent, state: () => transport.breaker.state }
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

describe('a call that meets the open breaker', () => {
  const away = 'The voice platform is not answering at the moment.'
  /** An open breaker whose probe is due in `ms`. */
  const dueIn = async (ms: number) => {
    const platform = rig()
    await platform.opens()
    platform.clock.pass(pauseMs - ms)
    const passes = async (time: number) => {
      await new Promise(setImmediate)
      await platform.clock.settle(platform.clock.sleep(time))
      await new Promise(setImmediate)
    }
    return { ...platform, passes, before: platform.sent() }
  }

  test('waits for a probe that is due within a second: one is the probe, the others go on once that is responded to', async () => {
    const { ask, passes, sent, respond, before, state } = await dueIn(900)
    const calls = [ask(), ask(), ask()]
    await passes(899)
    expect(sent()).toBe(before)
    await passes(1)
    expect([sent(), state()]).toEqual([before + 1, 'half-open'])
    respond(before)
    await passes(1)
    expect([sent(), state()]).toEqual([before + 3, 'closed'])
    for (const nth of [1, 2]) respond(before + nth)
    expect(await Promise.all(calls)).toEqual(['responded', 'responded', 'responded'])
  })

  test('fails when the probe fails, without waiting for another', async () => {
    const { ask, passes, sent, lose, before, state } = await dueIn(900)
    const calls = [ask(), ask()]
    await passes(900)
    lose(before)
    expect(await Promise.all(calls)).toEqual(['The connection to the voice platform was lost.', away])
    expect([sent(), state()]).toEqual([before + 1, 'open'])
  })

  test('fails at once where none is due within a second', async () => {
    const { ask, clock } = await dueIn(1_001)
    const { elapsed } = clock
    expect(await ask()).toBe(away)
    expect(clock.elapsed).toBe(elapsed)
  })

  test('waits for a probe that is under way, until a second after it began', async () => {
    const { ask, passes, respond, before } = await dueIn(100)
    const calls = [ask(), ask()]
    await passes(100)
    const later = ask()
    await passes(1_000)
    expect(await Promise.all([calls[1], later, ask()])).toEqual([away, away, away])
    respond(before)
    expect(await calls[0]).toBe('responded')
  })

  test('and is cancelled while it waits leaves the probe to another', async () => {
    const { ask, passes, sent, respond, before } = await dueIn(900)
    const caller = new AbortController()
    const calls = [ask(caller.signal), ask()]
    await passes(500)
    caller.abort()
    expect(await calls[0]).toBe('The request to the voice platform was cancelled.')
    await passes(400)
    expect(sent()).toBe(before + 1)
    respond(before)
    expect(await calls[1]).toBe('responded')
  })

  test('waits while the probe is cancelled, and becomes the next one', async () => {
    const { ask, passes, sent, respond, before } = await dueIn(900)
    const caller = new AbortController()
    const calls = [ask(caller.signal), ask()]
    await passes(900)
    caller.abort()
    await passes(1)
    expect(sent()).toBe(before + 2)
    respond(before + 1)
    expect(await calls[1]).toBe('responded')
  })
})
