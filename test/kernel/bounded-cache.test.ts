import { expect, test } from 'vitest'
import { boundedCache } from '../../src/runtime/bounded-cache.ts'

test('a cache never holds more than its bytes, and gives up what was set longest ago', () => {
  const cache = boundedCache<number, string>(1_500, (value) => value.length)
  for (let key = 0; key < 1_000; key++) {
    cache.set(key, 'x'.repeat(300))
    expect(cache.bytes).toBeLessThanOrEqual(1_500)
  }
  expect([996, 997, 998, 999].map((key) => cache.get(key)?.length)).toEqual([undefined, 300, 300, 300])
  cache.set(997, 'again')
  cache.set(1_000, 'x'.repeat(500))
  expect([997, 998, 999, 1_000].map((key) => cache.get(key)?.length)).toEqual([5, undefined, 300, 500])
  cache.set(999, 'x'.repeat(1_400))
  expect([cache.get(999), cache.get(997)]).toEqual([undefined, 'again'])
  cache.delete(997)
  cache.delete(997)
  cache.delete(1_000)
  expect(cache.bytes).toBe(0)
  cache.set(1, 'again')
  cache.clear()
  expect([cache.bytes, cache.get(1)]).toEqual([0, undefined])
})
