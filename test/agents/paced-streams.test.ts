import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import type { Allowance } from '../../src/language-model/allowance.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { meteredModel } from '../../src/language-model/metered-model.ts'

const streams = 20

const unbounded: Allowance = {
  maxCompletionTokens: 1000,
  used: { promptTokens: 0, completionTokens: 0 },
  cover: async ({ completionTokens }) => ({ completionTokens }),
  count() {},
}

const built = localModel().model

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 200, text: 200, reasoning: undefined },
}

/** A server's response that came in one packet. */
const inOnePacket: typeof built = {
  ...built,
  async doStream() {
    const text: LanguageModelV4StreamPart[] = Array.from({ length: 200 }, () => ({
      ...{ type: 'text-delta', id: 'text', delta: 'word ' },
    }))
    const finish: LanguageModelV4StreamPart = {
      ...{ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
    }
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] })
        for (const part of [...text, finish]) controller.enqueue(part)
        controller.close()
      },
    })
    return { stream }
  },
}

/** What a turn reads of a model: of the built-in one, that it knows nothing. */
async function open(model: typeof built) {
  const content = [{ type: 'text' as const, text: 'What do you know of the cellar?' }]
  const metered = meteredModel(model, unbounded, 1000).model
  const { stream } = await metered.doStream({ prompt: [{ role: 'user', content }] })
  return stream
}

test.each([
  { title: 'the built-in model', model: built, least: 8 },
  { title: 'a server that sends all in one packet', model: inOnePacket, least: 200 },
])('replies of $title that stream at once leave the thread to others between their words', async ({ model, least }) => {
  const opened = await Promise.all(Array.from({ length: streams }, () => open(model)))
  const perTurn = [0]
  let reading = true
  const nextTurn = () => {
    perTurn.push(0)
    if (reading) setImmediate(nextTurn)
  }
  setImmediate(nextTurn)
  const counts = await Promise.all(
    opened.map(async (stream) => {
      const parts = await Array.fromAsync(stream, (part) => {
        perTurn.push((perTurn.pop() ?? 0) + 1)
        return part.type
      })
      return [parts.length, parts[0], parts.at(-1)]
    }),
  )
  reading = false
  expect(counts).toEqual(Array.from({ length: streams }, () => [counts[0]?.[0], 'stream-start', 'finish']))
  expect(counts[0]?.[0]).toBeGreaterThanOrEqual(least)
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(48)
})

test('a stream whose reader goes away ends without an error', async () => {
  const stream = await open(built)
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel()
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})
