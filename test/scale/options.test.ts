import { expect, test } from 'vitest'
import { readOptions } from '../../scale/options.ts'
import { markdown } from '../../scale/table.ts'

test('every part runs unless some are named', () => {
  expect(readOptions([])).toEqual({
    help: false,
    only: new Set(['growth', 'vectors', 'rolling', 'instances']),
    size: 1,
  })
  expect(readOptions(['--only', 'rolling', '--size', '10'])).toEqual({
    help: false,
    only: new Set(['rolling']),
    size: 10,
  })
})

test.each([
  [['--only', 'cost'], '--only takes growth, vectors, rolling, instances, not "cost"'],
  [['--size', '0'], '--size takes a number from 1 to 100'],
  [['--size', 'many'], '--size takes a number from 1 to 100'],
])('%j is refused in words', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

test('a table is Markdown', () => {
  expect(markdown(['A', 'B'], [['1', '2']])).toBe('| A | B |\n| --- | --- |\n| 1 | 2 |')
})
