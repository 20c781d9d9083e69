import { expect, test } from 'vitest'
import { createDeadline, ifInTime, unlessAborted, unlessLate } from '../../src/runtime/deadline.ts'
import { systemTimers } from '../../src/runtime/timers.ts'

/** Timers whose time comes when it is told to, and how many wait. */
function handTimers() {
  const waiting = new Map<() => void, number>()
  return {
    after(ms: number, run: () => void) {
      waiting.set(run, ms)
      return () => void waiting.delete(run)
    },
    lengths: () => [...waiting.values()],
    strike() {
      for (const run of [...waiting.keys()]) {
        waiting.delete(run)
        run()
      }
    },
  }
}

const never = new Promise<never>(() => {})
const late = () => new Error('late')
const broken = new Error('broken')

test.each([
  ['unlessLate', (work: Promise<string>, timers: ReturnType<typeof handTimers>) => unlessLate(work, 5, late, timers)],
  ['ifInTime', (work: Promise<string>, timers: ReturnType<typeof handTimers>) => ifInTime(work, 5, timers)],
])('%s gives what the work gives, or throws what it throws, and leaves no timer', async (_name, within) => {
  const timers = handTimers()
  expect(await within(Promise.resolve('done'), timers)).toBe('done')
  await expect(within(Promise.reject(broken), timers)).rejects.toBe(broken)
  expect(timers.lengths()).toEqual([])
})

test("work that is late ends with the error, or with nothing; what it throws then is nobody's", async () => {
  const timers = handTimers()
  const { promise, reject } = Promise.withResolvers<string>()
  const [refused, left] = [unlessLate(promise, 5, late, timers), ifInTime(promise, 5, timers)]
  expect(timers.lengths()).toEqual([5, 5])
  timers.strike()
  await expect(refused).rejects.toThrow('late')
  expect(await left).toBeUndefined()
  reject(broken)
  await systemTimers.sleep(1)
})

test('unlessAborted ends with the reason of the signal, also of one that was aborted before', async () => {
  const before = AbortSignal.abort(broken)
  await expect(unlessAborted(never, before)).rejects.toBe(broken)
  await expect(unlessAborted(Promise.reject(late()), before)).rejects.toBe(broken)
  const controller = new AbortController()
  const waiting = unlessAborted(never, controller.signal)
  controller.abort(broken)
  await expect(waiting).rejects.toBe(broken)
  expect(await unlessAborted(Promise.resolve('done'), new AbortController().signal)).toBe('done')
})

test('a deadline aborts with its reason when its time is over, which begins anew with each restart', () => {
  const timers = handTimers()
  const { signal, restart } = createDeadline(5, { reason: () => broken, timers })
  restart()
  restart(7)
  expect([timers.lengths(), signal.aborted]).toEqual([[7], false])
  timers.strike()
  expect([signal.aborted, signal.reason]).toEqual([true, broken])
  restart()
  expect(timers.lengths()).toEqual([])
})

test('a deadline follows its caller until it is ended, and holds nothing then', () => {
  const timers = handTimers()
  const caller = new AbortController()
  const [followed, ended] = [
    createDeadline(5, { caller: caller.signal, timers }),
    createDeadline(5, { caller: caller.signal, timers }),
  ]
  ended.end()
  ended.restart()
  expect(timers.lengths()).toEqual([5])
  caller.abort(broken)
  expect([followed.signal.reason, ended.signal.aborted, timers.lengths()]).toEqual([broken, false, []])
  const after = createDeadline(5, { caller: caller.signal, timers })
  expect([after.signal.reason, timers.lengths()]).toEqual([broken, []])
})

test('a time that no timer can wait for is not over at once', async () => {
  let isOver = false
  const cancel = systemTimers.after(8760 * 3_600_000, () => {
    isOver = true
  })
  await systemTimers.sleep(30)
  cancel()
  expect(isOver).toBe(false)
})
