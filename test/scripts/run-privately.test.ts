import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runPrivately } from '../../scripts/run-privately.ts'
import { BackupError } from '../../src/backup/format.ts'

let mask: number
beforeEach(() => {
  mask = process.umask()
})
afterEach(() => {
  process.umask(mask)
  process.exitCode = undefined
  vi.restoreAllMocks()
})

const cause = new Error('unexpected end of file')

test.each([
  [
    'what a backup says of itself',
    new BackupError('The archive is broken, or was cut off.', { cause }),
    'The archive is broken, or was cut off.',
  ],
  ['the innermost cause of anything else', new Error('Failed query: select', { cause }), 'unexpected end of file'],
  ['nothing that steers a terminal', new BackupError('\u001b]0;owned\u0007x'), expect.not.stringContaining('\u001b')],
])('an operator is told %s', async (_what, error, told) => {
  const say = vi.spyOn(console, 'error').mockReturnValue()
  await runPrivately(() => Promise.reject(error))
  expect(say.mock.calls).toEqual([[told]])
  expect(process.exitCode).toBe(1)
})
