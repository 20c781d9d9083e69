import { serveThread } from '../../../src/runtime/thread.ts'

serveThread<number, number>((number) => {
  if (number % 2 === 1) throw new Error(`${number} is odd.`)
  return number / 2
})
