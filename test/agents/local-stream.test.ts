import { expect, test } from 'vitest'
import { localModel } from '../../src/language-model/local/model.ts'

const streams = 20

/** A stream of the built-in model; its reply says that it knows nothing. */
async function open() {
  const { model } = localModel()
  const content = [{ type: 'text' as const, text: 'What do you know of the cellar?' }]
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content }] })
  return stream
}

test('replies that stream at once leave the thread to timers and sockets between their words', async () => {
  const opened = await Promise.all(Array.from({ length: streams }, open))
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
  expect(counts[0]?.[0]).toBeGreaterThanOrEqual(8)
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(48)
})

test('a stream whose reader goes away ends without an error', async () => {
  const stream = await open()
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel()
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})
