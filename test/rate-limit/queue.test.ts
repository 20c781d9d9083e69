import { expect, test } from 'vitest'
import { createQueue } from '../../src/api/rate-limit/slots.ts'

test('work of one key waits for its turn, that of another goes on, and who waits too long is told to come back', async () => {
  const queue = createQueue({ total: 2, perKey: 1 })
  const steps: string[] = []
  const { promise: free, resolve: end } = Promise.withResolvers<void>()
  const never = new AbortController().signal
  const first = queue.run('a', never, async () => {
    steps.push('a1')
    await free
  })
  const second = queue.run('a', never, async () => void steps.push('a2'))
  await queue.run('b', never, async () => void steps.push('b'))
  expect(steps).toEqual(['a1', 'b'])
  const late = queue.run('a', AbortSignal.abort(), async () => void steps.push('late'))
  await expect(late).rejects.toMatchObject({ status: 429 })
  end()
  await Promise.all([first, second])
  expect(steps).toEqual(['a1', 'b', 'a2'])
})
