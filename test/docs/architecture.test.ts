import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The files of a section's first table, in their order. */
const walk = (heading: string): string[] => {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? ''
  const [, table = ''] = /\| Step \| Files \|\n([\s\S]*?)\n\n/.exec(section) ?? []
  return [...table.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file)
}

describe.each([
  ['One read: GET', 4],
  ['One write: PUT', 12],
])('%s', (heading, atLeast) => {
  const files = walk(heading)

  test('names files that are there', () => {
    expect(files.length).toBeGreaterThan(atLeast)
    expect(files.filter((file) => !existsSync(join(root, 'src', file)))).toEqual([])
  })

  test('goes back to none', () => {
    expect(files).toEqual([...new Set(files)])
  })
})

test('the write opens twenty files at most', () => {
  expect(walk('One write: PUT').length).toBeLessThanOrEqual(20)
})

describe('records of decisions', () => {
  const folder = join(root, 'docs/decisions')

  const records = readdirSync(folder).filter((name) => name !== 'README.md')

  test('are all in their index, once', () => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8')
    expect([...index.matchAll(/\]\(([^)]+)\)/g)].map(([, name]) => name).sort()).toEqual(records.sort())
  })

  test.each(records)('%s has its number, a status and a date', (name) => {
    const number = Number(name.slice(0, 4))
    const [title = '', , status = ''] = readFileSync(join(folder, name), 'utf8').split('\n')
    expect(title).toMatch(new RegExp(`^# ${number}\\. \\S`))
    expect(status).toMatch(/^Status: \S.* Date: \d{4}-\d{2}-\d{2}\.$/)
  })
})
