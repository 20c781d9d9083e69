import { expect, test } from 'vitest'
import { createThreadShare } from '../../src/runtime/thread-share.ts'

/** What was done, and `|` wherever others had the thread. */
async function done(sizes: readonly number[][]): Promise<string> {
  const thread = createThreadShare(10)
  let said = ''
  let working = true
  const others = () => {
    if (!said.endsWith('|')) said += '|'
    if (working) setImmediate(others)
  }
  setImmediate(others)
  await Promise.all(
    sizes.map(async (own, caller) => {
      for (const size of own) {
        await thread(size)
        said += `${caller}`
      }
    }),
  )
  working = false
  return said
}

test('what fits together is done at once', async () => {
  expect(await done([[4, 4], [2]])).toBe('010')
})

test('more of all callers together waits until others had the thread', async () => {
  const said = await done([
    [10, 10],
    [10, 10],
    [10, 10],
  ])
  expect(said.replaceAll('|', '').length).toBe(6)
  expect(said.split('|').every((turn) => turn.length <= 1)).toBe(true)
})

test('a part that is larger than a turn goes alone', async () => {
  const said = await done([[25], [25]])
  expect(said.split('|').filter(Boolean)).toEqual(['0', '1'])
})
