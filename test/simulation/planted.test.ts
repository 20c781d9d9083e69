import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placesOf, plant, plantedBugs } from './planted/bugs.ts'

const root = join(import.meta.dirname, '../..')

test.each(plantedBugs)('planted: $name', (bug) => {
  for (const place of placesOf(bug)) {
    const text = readFileSync(join(root, place.file), 'utf8')
    const planted = plant(text, bug.name, place)
    expect(planted).not.toBe(text)
    const without = planted.replaceAll(place.find, '')
    expect(() => plant(without, bug.name, place)).toThrow(`"${bug.name}" no longer fits ${place.file}`)
  }
})

test('each planted bug has a name of its own, in the table of what was caught', () => {
  const names = plantedBugs.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const told = readFileSync(join(root, 'docs/reliability.md'), 'utf8')
  expect(names.filter((name) => !told.includes(`| ${name} |`))).toEqual([])
})
