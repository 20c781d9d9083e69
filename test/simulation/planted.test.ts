import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plant, plantedBugs } from './planted/bugs.ts'

const root = join(import.meta.dirname, '../..')

test.each(plantedBugs)('planted: $name', (bug) => {
  const text = readFileSync(join(root, bug.file), 'utf8')
  const planted = plant(text, bug)
  expect(planted).not.toBe(text)
  expect(() => plant(planted.replaceAll(bug.find, ''), bug)).toThrow(`"${bug.name}" no longer fits ${bug.file}`)
})

test('each planted bug has a name of its own, in the table of what was caught', () => {
  const names = plantedBugs.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const told = readFileSync(join(root, 'docs/reliability.md'), 'utf8')
  expect(names.filter((name) => !told.includes(`| ${name} |`))).toEqual([])
})
