import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { broadcastOver } from '../../src/broadcast/over-transport.ts'

afterEach(() => vi.useRealTimers())

test('messages that do not arrive are told once, then at growing intervals, and that they arrive again', async () => {
  vi.useFakeTimers()
  let ms = 0
  let isAway = true
  const logged: { at: number; event: string }[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => logged.push({ at: ms, event: JSON.parse(line).event }) },
  )
  const refused = async () => {
    if (isAway) throw new Error('connect ECONNREFUSED')
  }
  const broadcast = broadcastOver({ listen: refused, send: refused, close: async () => {} }, log, () => ms)
  await broadcast.subscribe(() => {})
  const second = async () => {
    ms += 1_000
    await vi.advanceTimersByTimeAsync(1_000)
  }
  while (ms < 1_200_000) await second()
  const told = logged.filter(({ event }) => event === 'broadcast_away').map(({ at }) => at / 1_000)
  expect(told).toEqual([0, 10, 30, 70, 150, 310, 610, 910])
  isAway = false
  await second()
  expect(logged.at(-1)?.event).toBe('broadcast_back')
  isAway = true
  for (let times = 0; times < 30; times++) await broadcast.publish('accounts')
  expect(logged.filter(({ event }) => event === 'broadcast_failed')).toHaveLength(1)
  await broadcast.close()
})
