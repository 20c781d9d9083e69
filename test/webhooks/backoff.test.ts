import { expect, test } from 'vitest'
import { serverBackoffPlan } from '../../src/voice-platform/mapping/defaults.ts'
import { pauseMs } from '../../src/webhooks/backoff.ts'
import { shownAddress } from '../../src/webhooks/request.ts'

test.each([
  ['fixed', 1, 0.5, 2000],
  ['fixed', 5, 0.5, 2000],
  ['exponential', 1, 0.5, 2000],
  ['exponential', 2, 0.5, 4000],
  ['exponential', 5, 0.5, 32_000],
  ['exponential', 1, 0, 1500],
  ['exponential', 1, 1, 2500],
  ['exponential', 30, 0.5, 3_600_000],
] as const)('a %s plan waits after attempt %i, by chance %d: %d ms', (type, attempts, chance, ms) => {
  expect(pauseMs({ type, maxRetries: 10, baseDelaySeconds: 2 }, attempts, chance)).toBe(ms)
})

test('the plan of every webhook that is registered here outlasts a receiver that is away for a minute', () => {
  const attempts = Array.from({ length: serverBackoffPlan.maxRetries }, (_, index) => index + 1)
  const shortest = attempts.reduce((sum, attempt) => sum + pauseMs(serverBackoffPlan, attempt, 0), 0)
  expect(shortest).toBeGreaterThan(2 * 60_000)
})

test.each([
  ['https://a.example/hook', 'https://a.example/hook'],
  ['https://user:pass@a.example/hook?token=x#y', 'https://a.example/hook?***'],
  ['wss://a.example:9/x', 'wss://a.example:9/x'],
  ['amqp://user:pass@a.example/jobs', 'amqp://a.example/jobs'],
  ['mailto:somebody@a.example', '***'],
  ['nonsense', '***'],
])('an address is shown without what may be secret: %s', (url, shown) => {
  expect(shownAddress(url)).toBe(shown)
})
