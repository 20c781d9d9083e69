import { describe, expect, test } from 'vitest'
import { completionWithin, costOf } from '../../src/resources/billing/price.ts'

const priceOf = (promptUsdPerMillion: number, completionUsdPerMillion: number) => ({
  promptUsdPerMillion,
  completionUsdPerMillion,
})

describe('cost', () => {
  test.each([
    ['a dollar per million is a micro-dollar per token', 'usd', [1, 2], [10, 20], 50],
    ['a part of a micro-dollar is a whole one', 'usd', [0.1, 0], [1, 0], 1],
    ['rounded once per turn, not per side', 'usd', [0.5, 0.5], [1, 1], 1],
    ['what is whole is not rounded up', 'usd', [1.1, 0], [10, 0], 11],
    ['no binary fraction creeps in', 'usd', [0.1, 0.2], [30, 35], 10],
    ['six decimals of a price count', 'usd', [0.000001, 0], [1_000_001, 0], 2],
    ['large prices and large turns', 'usd', [1_000_000, 1_000_000], [1_000_000, 1_000_000], 2_000_000_000_000],
    ['a turn without tokens', 'usd', [1, 1], [0, 0], 0],
    ['tokens count one for one', 'tokens', [0.1, 30], [10, 20], 30],
    ['a model of price 0, in dollars', 'usd', [0, 0], [10, 20], 0],
    ['a model of price 0, in tokens', 'tokens', [0, 0], [10, 20], 0],
    ['only one side is free', 'tokens', [0, 1], [10, 20], 30],
    ['a negative count is no credit', 'usd', [1, 1], [-50, 20], 20],
  ] as const)('%s', (_title, currency, [prompt, completion], [promptTokens, completionTokens], cost) => {
    expect(costOf(currency, priceOf(prompt, completion), { promptTokens, completionTokens })).toBe(cost)
  })
})

describe('the completion that an amount pays for', () => {
  test.each([
    ['what the prompt leaves', 'usd', 100, [1, 2], 20, 40],
    ['a fraction does not count', 'usd', 101, [1, 2], 20, 40],
    ['nothing', 'usd', 20, [1, 2], 20, 0],
    ['not even the prompt', 'usd', 19, [1, 2], 20, -1],
    ['tokens', 'tokens', 100, [1, 2], 20, 80],
    ['not even the prompt, in tokens', 'tokens', 19, [1, 2], 20, -1],
    ['a free completion', 'usd', 20, [1, 0], 20, Number.POSITIVE_INFINITY],
    ['a free model', 'usd', 0, [0, 0], 20, Number.POSITIVE_INFINITY],
  ] as const)('%s', (_title, currency, amount, [prompt, completion], promptTokens, most) => {
    expect(completionWithin(amount, currency, priceOf(prompt, completion), promptTokens)).toBe(most)
  })

  test('is never more than the amount pays, and one more would be', () => {
    for (let amount = 1; amount < 500; amount += 7) {
      for (const price of [priceOf(0.15, 0.6), priceOf(1.1, 3.3), priceOf(0, 0.007), priceOf(2.5, 10)]) {
        const completionTokens = completionWithin(amount, 'usd', price, 3)
        if (completionTokens < 0) continue
        expect(costOf('usd', price, { promptTokens: 3, completionTokens })).toBeLessThanOrEqual(amount)
        const more = { promptTokens: 3, completionTokens: completionTokens + 1 }
        expect(costOf('usd', price, more)).toBeGreaterThan(amount)
      }
    }
  })
})
