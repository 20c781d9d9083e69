import { countTokens as countAtOnce } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { countTokens } from '../../src/language-model/tokens.ts'
import { shortestFirst } from '../../src/runtime/shortest-first.ts'

/** What is asked for, in the order in which it is done; each is as much work as its name is long. */
const workshop = () => {
  const order: string[] = []
  const ask = shortestFirst<string, string>(
    ({ length }) => length,
    async (name) => {
      order.push(name)
      if (name === 'no') throw new Error('It cannot be done')
      return name.toUpperCase()
    },
  )
  return { order, ask }
}

test('small requests do not wait for large ones, and large ones not for ever', async () => {
  const { order, ask } = workshop()
  const large = 'x'.repeat(10)
  const first = ask(`first ${large}`)
  const asked = [ask(large), ask('a'), ask('bb')]
  // Each small one that comes after is asked for once the one before is done.
  const more = (async () => {
    for (let index = 0; index < 20; index++) await ask('c')
  })()
  expect(await Promise.all([first, ...asked])).toEqual([`FIRST ${large.toUpperCase()}`, large.toUpperCase(), 'A', 'BB'])
  await more
  expect(order.slice(0, 2)).toEqual([`first ${large}`, 'a'])
  expect(order.indexOf(large)).toBeGreaterThan(2)
  expect(order.indexOf(large)).toBeLessThan(14)
  expect(order).toHaveLength(24)
})

test('one that fails fails alone', async () => {
  const { ask } = workshop()
  const asked = await Promise.allSettled([ask('yes'), ask('no'), ask('then')])
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a greeting is counted before the long texts that came first', async () => {
  const order: string[] = []
  const long = Array.from({ length: 8 }, (_, index) => `${index} is said again and again. `.repeat(200))
  const counted = [...long, 'Hello there'].map(async (text) => {
    const tokens = await countTokens(text)
    order.push(text.slice(0, 5))
    return tokens
  })
  expect((await Promise.all(counted)).at(-1)).toBe(2)
  expect(order.indexOf('Hello')).toBe(1)
})

test('a text of any length is counted exactly, and holds up no greeting', async () => {
  const order: string[] = []
  const text = Array.from(
    { length: 5_000 },
    (_, index) => `The guest of room ${index} left  ${index * 7} keys.\n`,
  ).join('')
  const long = countTokens(text).finally(() => order.push('long'))
  await countTokens('Good evening to you').finally(() => order.push('greeting'))
  expect(await long).toBe(countAtOnce(text))
  expect(order).toEqual(['greeting', 'long'])
})
