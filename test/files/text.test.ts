import { describe, expect, test } from 'vitest'
import { capped, decodeText } from '../../src/knowledge/decode.ts'
import { searchText } from '../../src/knowledge/passages/passage.ts'
import { sentences } from '../../src/knowledge/passages/sentences.ts'
import { tokensIn } from '../../src/knowledge/passages/size.ts'
import { passagesOf } from '../../src/knowledge/passages/split.ts'
import { indexedWords } from '../../src/knowledge/words.ts'
import { cpuMs } from '../support/cpu-time.ts'

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

describe('decoding', () => {
  test.each([
    ['UTF-8', new TextEncoder().encode('Grüße 😀'), 'Grüße 😀'],
    ['a UTF-8 mark', new Uint8Array([0xef, 0xbb, 0xbf, 65]), 'A'],
    ['UTF-16 with a mark', new Uint8Array([0xff, 0xfe, ...utf16('Grüße')]), 'Grüße'],
    ['UTF-16 BE with a mark', new Uint8Array([0xfe, 0xff, ...utf16('Grüße', true)]), 'Grüße'],
    ['UTF-16 without a mark', utf16('Plain text of some length'), 'Plain text of some length'],
    ['UTF-16 BE without a mark', utf16('Plain text of some length', true), 'Plain text of some length'],
    [
      'Latin letters of one byte',
      new Uint8Array(Buffer.from('Der Käse ist schön, die Straße groß. Für Müller.', 'latin1')),
      'Der Käse ist schön, die Straße groß. Für Müller.',
    ],
  ])('%s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['NULs', new Uint8Array([65, 0, 66, 67, 0, 0, 0, 68])],
    ['control characters', new Uint8Array(Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? 1 : 65)))],
  ])('%s is no text', (_what, bytes) => {
    expect(decodeText(bytes)).toBeUndefined()
  })

  test('the cap counts code points', () => {
    expect(capped('😀'.repeat(5), 3)).toBe('😀😀😀')
    expect(capped('abc', 3)).toBe('abc')
  })
})

const passages = (name: string, text: string) =>
  passagesOf(name, text).map(({ heading, text }) => (heading === null ? text : `${heading} | ${text}`))

describe('passages follow the structure of', () => {
  test('Markdown: sections with the path of their headings, table rows with their header', () => {
    const text = `---
title: Guide
---
# Guide

Welcome to **us**.

## Prices

All prices are in euros.

| Item | Price |
| :--- | ---: |
| Bike | 12 |
| E-bike \\| large | 30 |

### Discounts

Pupils pay half.

\`\`\`sh
# not a heading
rent --half
\`\`\`

## Empty
`
    expect(passages('a.md', text)).toEqual([
      'Guide | Welcome to us.',
      'Guide > Prices | All prices are in euros.',
      'Guide > Prices | Item: Bike; Price: 12',
      'Guide > Prices | Item: E-bike | large; Price: 30',
      'Guide > Prices > Discounts | Pupils pay half.\n\n```sh\n# not a heading\nrent --half\n```',
    ])
  })

  test('a table of values: each row with its header, whatever separates them', () => {
    expect(passages('a.csv', 'name;price\n"Hose; red";12,50\n\nBucket;3\n')).toEqual([
      'name: Hose; red; price: 12,50',
      'name: Bucket; price: 3',
    ])
    expect(passages('a.csv', '1,2\n3,4')).toEqual(['1; 2', '3; 4'])
  })

  test('JSON: items whole, under the path to them', () => {
    const value = {
      shop: 'Elm',
      items: [{ name: 'Hose', size: { length: 20 }, tags: ['red', 'long'] }, { name: 'Can' }],
    }
    expect(passages('a.json', JSON.stringify({ stock: Array(30).fill(value) })).slice(0, 3)).toEqual([
      'stock | shop: Elm; items.name: Hose; items.size.length: 20; items.tags: red, long; items.name: Can',
      'stock | shop: Elm; items.name: Hose; items.size.length: 20; items.tags: red, long; items.name: Can',
      'stock | shop: Elm; items.name: Hose; items.size.length: 20; items.tags: red, long; items.name: Can',
    ])
    expect(passages('a.json', '{"a": 1}\n{"b": {"c": "two"}}')).toEqual(['a: 1', 'b.c: two'])
    expect(passages('a.json', '{"a": ')).toEqual(['{"a":'])
  })

  test.each([
    ['an object', '{"tracking": 1234567890123456789, "price": 19.90, "big": 1e999, "zero": -0}'],
    ['lines', '{"tracking": 1234567890123456789}\n{"price": 19.90, "big": 1e999, "zero": -0}'],
  ])('JSON: numbers as they are written, in %s', (_where, text) => {
    expect(passages('a.json', text).join('; ')).toBe(
      'tracking: 1234567890123456789; price: 19.90; big: 1e999; zero: -0',
    )
  })

  test('JSON: numbers of lists, and under names that say the same again', () => {
    expect(passages('a.json', '{"sizes": [1.50, [2.0]], "a": 1.0, "a": 2.10, "text": "1"}')).toEqual([
      'sizes: 1.50; sizes: 2.0; a: 2.10; text: 1',
    ])
  })

  test('plain text: paragraphs, questions with their answers, titles with what follows', () => {
    const text =
      'Opening hours\n\nWe open at nine.\n\nQ: May I bring a dog?\nA: Yes.\nQ: And a cat?\nA: No.\n\nWe sell:\n\n- hoses\n- cans'
    expect(passages('a.txt', text)).toEqual([
      'Opening hours\nWe open at nine.',
      'Q: May I bring a dog?\nA: Yes.',
      'Q: And a cat?\nA: No.',
      'We sell:\n- hoses\n- cans',
    ])
  })

  test('a heading alone is still found', () => {
    expect(passages('a.md', '# Closed on Mondays')).toEqual(['# Closed on Mondays'])
  })
})

const manyValues = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`
const columnName = (_: unknown, index: number) => `c${index}${'h'.repeat(70)}`
const rowsOf = (columns: number, rows: number) => `${Array(columns).fill('x').join(',')}\n`.repeat(rows)
const longHeadings = ['#', '##', '###'].map((signs) => `${signs} ${'a'.repeat(190)}\n`).join('')

describe('a file of very many small parts has several to a passage, and none is lost:', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => at)
  test.each([
    ['a.json', many.map((at) => `{"a":${at}}`).join('\n')],
    ['b.json', JSON.stringify({ list: many.map((at) => ({ n: at })) })],
    ['c.json', JSON.stringify(Object.fromEntries(many.map((at) => [`k${at}`, { n: at }])))],
    ['d.md', many.map((at) => `# h${at}\n${at}`).join('\n')],
    ['e.csv', many.join('\n')],
  ])('%s', (name, text) => {
    const found = passagesOf(name, text)
    expect(found.length).toBeLessThanOrEqual(2_000)
    expect(Math.max(...found.map((passage) => tokensIn(passage.text)))).toBeLessThanOrEqual(200)
    const numbers = new Set(found.flatMap((passage) => searchText(passage).match(/\d+/g) ?? []))
    expect(many.filter((at) => !numbers.has(String(at)))).toEqual([])
  })
})

const wrapped = `Bei Regen verlegen wir die gebuchte Fahrt auf einen anderen
Tag, ohne dass dafür etwas zu zahlen ist. Wer dann keine
Zeit hat, bekommt sein Geld zurück.`
const menu = `Tea and cake on Sundays from two to five
Lunch on weekdays from noon until half past
Dinner on Fridays`
const facts = `Main hall: 90 people seated, 120 standing
Hire: 14 pounds an hour for residents, 20 for everybody else
Music off by 11 pm, neighbours are close`

describe('passages', () => {
  test.each([
    ['a paragraph of three lines', wrapped, [wrapped.replaceAll('\n', ' ')]],
    ['the same in a section', `# Rentals\n${wrapped}`, [`Rentals | ${wrapped.replaceAll('\n', ' ')}`]],
    [
      'two lines of one sentence',
      'The hall can be hired by the hour from eight in the morning,\nafter which it is locked.',
      ['The hall can be hired by the hour from eight in the morning, after which it is locked.'],
    ],
    ['facts on lines of their own', facts, [facts]],
    ['a menu whose lines are as long', menu, [menu]],
    ['a list', `${wrapped}\n- one\n- two`, [`${wrapped}\n- one\n- two`]],
    [
      'an address',
      'Millbrook Allotment Society and Garden Club of the Valley\nStation Road',
      ['Millbrook Allotment Society and Garden Club of the Valley\nStation Road'],
    ],
  ])('lines are joined where they were broken to a width: %s', (_, text, expected) => {
    expect(passages('a.md', text)).toEqual(expected)
  })

  test.each([
    ['Unterlagen brauchen wir bis 31. Mai. ', 'Danach kostet es mehr.'],
    ['Die Praxis ist im 2. Stock. ', 'Ein Aufzug ist da.'],
    ['Ring us, Tel. 06421 559. ', 'We come down.'],
    ['Offen Mo. 9 Uhr, Sa. 10 Uhr. ', 'Im Aug. 3 Wochen zu.'],
    ['Wir schließen um 18. ', 'Danach hilft das Telefon.'],
    ['The fee is for two. ', '12 Euros more for three.'],
    ['Siehe Seite 4.\n', 'Mai ist der erste Monat.'],
  ])('a full stop within a sentence does not end it: %s', (first, second) => {
    expect(sentences(first + second)).toEqual([first, second])
  })

  const sentence = (n: number) => `Rule ${n} says that Dr. Ilse Berg opens gate ${n} at 7.30 a.m. on working days.`

  test('are small enough for the embedder, and no sentence is cut', () => {
    const texts = passages('a.txt', Array.from({ length: 200 }, (_, n) => sentence(n)).join(' '))
    expect(texts.every((text) => tokensIn(text) <= 200 && text.endsWith('working days.'))).toBe(true)
    expect(texts.join(' ')).toBe(Array.from({ length: 200 }, (_, n) => sentence(n)).join(' '))
  })

  test('of a text without any break are cut, and nothing is lost', () => {
    expect(passages('a.txt', 'x'.repeat(5000)).join('')).toBe('x'.repeat(5000))
    const words = Array.from({ length: 3000 }, (_, index) => `w${index}`)
    expect(passages('a.txt', words.join(' ')).join(' ')).toBe(words.join(' '))
  })

  test('of very many rows hold several', () => {
    const rows = Array.from({ length: 9000 }, (_, n) => `${n},Part ${n}`)
    const texts = passages('a.csv', ['id,name', ...rows].join('\n'))
    expect(texts.length).toBeLessThanOrEqual(1100)
    expect(texts.join('\n').match(/id: \d+; name: Part \d+/g)).toHaveLength(9000)
  })

  test.each([
    ['headings', '#'.repeat(6).concat(' a\n').repeat(30_000)],
    ['an open table', '|'.repeat(199_000)],
    ['bold signs', '**a'.repeat(60_000)],
    ['nested lists of JSON', '['.repeat(90_000) + ']'.repeat(90_000)],
    ['blank lines', ' \n'.repeat(100_000)],
    ['a title of signs', `# x${'#'.repeat(190_000)}y`],
    ['blank lines of code', `\`\`\`\n${'\n'.repeat(190_000)}`],
    ['a table after spaces', `a|b\n${' '.repeat(90_000)}${'--|'.repeat(30_000)}x`],
    ['initials', 'A. '.repeat(66_000)],
    ['deep objects around many values', `${'{"a":'.repeat(60)}${manyValues(30_000)}${'}'.repeat(60)}`],
  ])('of a hostile file of %s are made at once', (_what, text) => {
    const read = () => ['a.md', 'a.json', 'a.csv', 'a.txt'].map((name) => passagesOf(name, text))
    expect(cpuMs(read)).toBeLessThan(5_000)
  })

  test.each([
    ['a name above a list', 'a.json', `{"${'k'.repeat(100_000)}":[${Array(1900).fill('{"a":1}').join(',')}]}`],
    ['a name above values', 'a.json', `{"${'k'.repeat(100_000)}":${manyValues(9000)}}`],
    ['names of columns', 'a.csv', `${Array.from({ length: 1000 }, columnName).join(',')}\n${rowsOf(1000, 60)}`],
    ['headings', 'a.md', `${longHeadings}${'#### x\ny\n'.repeat(20_000)}`],
  ])('are bounded where %s would stand beside each', (_what, name, text) => {
    const found = passagesOf(name, text)
    const written = found.reduce((sum, passage) => sum + searchText(passage).length, 0)
    expect(written).toBeGreaterThan(100_000)
    expect(written).toBeLessThanOrEqual(2_000_000)
  })

  test('under long names of JSON stand under their beginnings', () => {
    const items = Array.from({ length: 300 }, (_, index) => ({ part: `Hose ${index}` }))
    const [first] = passagesOf('a.json', JSON.stringify({ ['k'.repeat(5000)]: items }))
    expect(first).toEqual({ heading: `${'k'.repeat(199)}…`, text: 'part: Hose 0' })
  })

  test('have no more words than their texts are long, whatever their signs stand for', () => {
    // One sign for eighteen letters in four words.
    expect(indexedWords('\ufdfa'.repeat(1000)).length).toBeLessThan(600)
    expect(indexedWords('ﬁne ﬂats').terms).toEqual(expect.arrayContaining(['fine', 'flat']))
  })
})
