import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nextSeed, readParts, runLong, summaryOf } from '../../simulation/long-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-long-run-'))
afterAll(() => rmSync(folder, { recursive: true }))

const parts = [
  { from: 1, operations: 1_200 },
  { from: 21, operations: 360, seed: 23, rule: 'both sides', what: 'an object without a record' },
  { from: 11, operations: 1_200 },
]

test('a long run goes on after the last seed that was done, whether it held or broke', () => {
  expect(nextSeed([], 7)).toBe(7)
  expect(nextSeed(parts, 7)).toBe(24)
  expect(nextSeed(parts, 500)).toBe(500)
})

test('its sum counts the seeds that held, and says how those that broke are done again', () => {
  expect(summaryOf(parts, 3)).toEqual({
    held: false,
    text: [
      '2640 operations held, of 22 seeds; 1 seeds broke',
      '  both sides: an object without a record',
      '    bun run simulate --seed 23 --ops 120 --instances 3',
    ].join('\n'),
  })
  expect(summaryOf(parts.slice(0, 1), 2).held).toBe(true)
})

test('what was done is in its file, part by part', { timeout: 120_000 }, async () => {
  const file = join(folder, 'run.jsonl')
  const once = { file, minutes: 0.001, seed: 31, instances: 2, databases: [undefined], seedsAtOnce: 1 }
  const [first] = await runLong(once)
  expect(first).toEqual({ from: 31, operations: 120 })
  const all = await runLong({ ...once, minutes: 0 })
  expect(all).toEqual([first])
  expect(readParts(readFileSync(file, 'utf8'))).toEqual(all)
})
