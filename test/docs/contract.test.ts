import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorEntry, errorNames } from '../../src/api/errors/catalogue.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const pages = readdirSync(join(root, 'docs/contract'))
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace(/\.md$/, ''))
  .sort()

const textOf = (page: string) => read(`docs/contract/${page}.md`)
const numbersOf = (text: string) => [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
const rules = new Map(pages.map((page) => [page, new Set(numbersOf(textOf(page)))]))

/** Why a citation such as `numbers 3` names no rule; undefined when it does. */
function fault(citation: string): string | undefined {
  const [, page = '', number = ''] = /^([a-z]+) (\d+)$/.exec(citation) ?? []
  if (!page) return `"${citation}" is not a page and a number`
  const known = rules.get(page)
  if (!known) return `there is no page ${page}`
  return known.has(Number(number)) ? undefined : `${page} has no rule ${number}`
}

/** What `(contract: ...)` names, also where a comment goes on in the next line. */
const citationsOf = (text: string): string[] =>
  [...text.replace(/\n\s*(?:\*|\/\/)? ?/g, ' ').matchAll(/\bcontract: ([^)`]*)/g)].flatMap(([, list = '']) =>
    list.split(/,\s*/),
  )

const markdown = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].concat(
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
)

const sources = ['src', 'test', 'scripts', 'bench', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js|md)$/.test(file))
    .map((file) => `${folder}/${file}`)
    .filter((file) => !file.endsWith('contract.test.ts')),
)

/** Each rule and each row of a table, on one line. */
const statements = pages.flatMap((page) =>
  textOf(page)
    .split(/\n(?=\d+\. |\s+\|)/)
    .map((statement) => statement.replace(/\s+/g, ' ')),
)

describe('the contract', () => {
  test.each(pages)('numbers the rules of %s without a gap', (page) => {
    const numbers = numbersOf(textOf(page))
    expect(numbers.length).toBeGreaterThan(0)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  test('lists every page', () => {
    const listed = [...read('docs/contract/README.md').matchAll(/^\| \[(\w+)\]\(\1\.md\)/gm)].map(([, page]) => page)
    expect(listed.toSorted()).toEqual(pages)
  })

  test.each(pages)('names only rules that exist in %s', (page) => {
    const text = textOf(page).replace(/\n\s+/g, ' ')
    const others = [...text.matchAll(new RegExp(`\\b(?:${pages.join('|')}) \\d+\\b`, 'g'))].map(
      ([citation]) => citation,
    )
    const own = [...text.matchAll(/\brules? (\d+)\b/g)].map(([, number]) => `${page} ${number}`)
    expect([...others, ...own].map(fault).filter(Boolean)).toEqual([])
  })

  test.each(errorNames)('gives the status and the text of %s', (name) => {
    const { status, message } = errorEntry(name)
    const text = message.split('{detail}').map(RegExp.escape).join('.+?')
    const said = new RegExp(`\\b${status}\\b.*'${text}'`)
    // A text that is all detail can be any: its status is enough.
    const rule = statements.find((statement) =>
      message === '{detail}' ? statement.includes(`is ${status} `) : said.test(statement),
    )
    expect(rule, `${status} '${message}'`).toBeDefined()
  })

  test.each([
    ['/** One (contract: numbers 3). */', []],
    ['/** Two (contract: numbers 3,\n   * rest 12). */', []],
    ['// Far (contract: numbers 999)', ['numbers has no rule 999']],
    ['// Unknown (contract: phones 3)', ['there is no page phones']],
    ['// Unnumbered (contract: numbers)', ['"numbers" is not a page and a number']],
  ])('finds what is wrong with a citation: %s', (comment, faults) => {
    expect(citationsOf(comment).map(fault).filter(Boolean)).toEqual(faults)
  })

  test('is cited with rules that exist', () => {
    const cited = sources.flatMap((file) => citationsOf(read(file)).map((citation) => ({ file, citation })))
    expect(cited.length).toBeGreaterThan(200)
    expect(cited.flatMap(({ file, citation }) => fault(citation)?.concat(` in ${file}`) ?? [])).toEqual([])
  })
})

test('the documentation names files that exist', () => {
  const named = markdown.flatMap((file) =>
    [...read(file).matchAll(/`((?:src|test|scripts|patches)\/[\w./@-]+)`/g)].map(([, path = '']) => ({ file, path })),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})
