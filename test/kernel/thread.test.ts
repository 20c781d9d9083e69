import { expect, onTestFinished, test } from 'vitest'
import { createThread } from '../../src/runtime/thread.ts'

const threadOf = (module: string) => {
  const thread = createThread<number, number>('halver', new URL(`./threads/${module}.ts`, import.meta.url))
  onTestFinished(() => thread.close())
  return thread
}

test('each request gets its own result, or the error that its work threw', async () => {
  const thread = threadOf('halves')
  const asked = [2, 3, 8].map((number) => thread.ask(number))
  expect(thread.load).toBe(3)
  const results = await Promise.allSettled(asked)
  expect(results).toMatchObject([{ value: 1 }, { reason: { message: '3 is odd.' } }, { value: 4 }])
  expect(thread.load).toBe(0)
})

test('a thread that fails fails who waits, and starts again when it is asked again', async () => {
  const thread = threadOf('broken')
  for (let round = 0; round < 2; round++) {
    await expect(thread.ask(2)).rejects.toThrow(/^The halver failed: .*This module cannot be loaded\./)
    expect(thread.load).toBe(0)
  }
})

test('a thread that was closed fails who waits, and starts again', async () => {
  const thread = threadOf('halves')
  const asked = thread.ask(2)
  thread.close()
  await expect(asked).rejects.toThrow('The halver was closed')
  await expect(thread.ask(4)).resolves.toBe(2)
})
