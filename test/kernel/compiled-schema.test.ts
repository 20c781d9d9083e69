import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compiled, quickParse, writer } from '../../src/api/schema-compiler/compiled-schema.ts'
import { jsonOf } from '../../src/api/schema-compiler/written.ts'
import { openObject } from '../../src/resources/assistants/write/schema.ts'

const id = '0b0e1c9e-6a53-4a0c-8d8b-6a2f1a3b4c5d'

/** Every kind of schema that answers are made of, and values that it takes, changes or refuses. */
const cases: [kind: string, schema: z.ZodType, values: unknown[]][] = [
  ['text', z.string(), ['', 'a', 1, null, undefined, ['a']]],
  ['text of a length', z.string().min(1).max(3), ['', 'a', 'abcd', 5]],
  ['text of a pattern', z.string().regex(/^a+$/), ['aa', 'b']],
  ['text that is changed', z.string().trim().toLowerCase(), [' A ', 3]],
  ['text with an own check', z.string().refine((text) => text !== 'no'), ['yes', 'no']],
  ['UUID', z.uuid(), [id, 'x']],
  ['URL', z.url(), ['https://example.com', 'x']],
  ['integer', z.int(), [0, -7, 1.5, 2 ** 53, Number.NaN, '1', null]],
  ['integer in a range', z.int().min(1).max(3), [1, 3, 4, 0]],
  ['number', z.number(), [0, 1.5, Number.POSITIVE_INFINITY, Number.NaN, '1']],
  ['number in a range', z.number().min(0.5), [0.5, 0.4]],
  ['switch', z.boolean(), [true, false, 0, 'true', null]],
  ['literal', z.literal(true), [true, false]],
  ['several literals', z.literal(['a', 2]), ['a', 2, 'b']],
  ['enumeration', z.enum(['a', 'b']), ['a', 'c', 0]],
  ['anything', z.unknown(), [undefined, null, { a: [1] }]],
  ['open object', openObject, [{}, { a: 1, b: { c: undefined } }, [], null, 'a', new Date(0)]],
  ['record of numbers', z.record(z.string(), z.number()), [{ a: 1 }, { a: 'b' }]],
  ['record of formats', z.record(z.string().regex(/^k/), z.unknown()), [{ k1: 1 }, { x: 1 }]],
  ['list', z.array(z.int()), [[], [1, 2], [1, 'a'], {}, null]],
  ['list of a length', z.array(z.unknown()).max(1), [[1], [1, 2]]],
  ['optional', z.object({ a: z.string().optional() }), [{}, { a: undefined }, { a: 'b' }, { a: null }]],
  ['nullable', z.object({ a: z.string().nullable() }), [{}, { a: null }, { a: 'b' }, { a: 1 }]],
  ['both', z.object({ a: z.string().nullable().optional() }), [{}, { a: null }, { a: undefined }, { a: 'b' }]],
  ['required again', z.object({ a: z.string() }).partial().required({ a: true }), [{}, { a: undefined }, { a: 'b' }]],
  ['anything required', z.object({ a: z.unknown() }), [{}, { a: undefined }, { a: 1 }]],
  ['unknown keys', z.object({ a: z.string() }), [{ a: 'b', c: 1 }, Object.create({ a: 'b' }), [], null]],
  ['loose object', z.looseObject({ a: z.string() }), [{ a: 'b', c: 1 }, { c: 1 }]],
  ['strict object', z.strictObject({ a: z.string() }), [{ a: 'b', c: 1 }, { a: 'b' }]],
  ['object with a check', z.object({ a: z.int() }).refine(({ a }) => a > 1), [{ a: 2 }, { a: 1 }]],
  ['default', z.object({ a: z.string().default('b') }), [{}, { a: undefined }, { a: 'c' }]],
  ['default of a list', z.array(z.int().default(1)), [[], [undefined, 2], [null]]],
  ['optional default', z.object({ a: z.int().default(1).optional() }), [{}, { a: undefined }, { a: 2 }]],
  ['prefault', z.object({ a: z.string().prefault('b') }), [{}, { a: undefined }, { a: 'c' }]],
  [
    'nullable with a check',
    z
      .string()
      .nullable()
      .refine((text) => text !== 'bad'),
    ['bad', 'good', null],
  ],
  [
    'optional with a check',
    z.object({
      a: z
        .string()
        .optional()
        .refine((text) => text !== 'bad'),
    }),
    [{ a: 'bad' }, {}],
  ],
  [
    'default with a check',
    z
      .string()
      .default('x')
      .refine((text) => text !== 'bad'),
    ['bad', undefined],
  ],
  [
    'nullable that is changed',
    z
      .string()
      .nullable()
      .overwrite((text) => text?.toUpperCase() ?? null),
    ['a', null],
  ],
  ['record of short keys', z.record(z.string().max(2), z.unknown()), [{ ab: 1 }, { abc: 1 }]],
  ['record of changed keys', z.record(z.string().toLowerCase(), z.unknown()), [{ AB: 1 }]],
  [
    'default after a change',
    z
      .string()
      .transform((text) => text || undefined)
      .default('x'),
    ['', 'a', undefined],
  ],
  [
    'required after a change',
    z
      .string()
      .transform((text) => text || undefined)
      .nonoptional(),
    ['', 'a'],
  ],
  ['union', z.union([z.string(), z.int()]), ['a', 1, true]],
  ['transformation', z.object({ a: z.string().transform((text) => text.length) }), [{ a: 'four' }, { a: 1 }]],
  ['nested', z.object({ a: z.array(z.object({ b: z.int() })) }), [{ a: [{ b: 1, c: 2 }] }, { a: [{ b: 'x' }] }]],
]

describe('a compiled schema', () => {
  test.each(cases)('%s: gives and throws what the schema does', (_kind, schema, values) => {
    const plain = (value: unknown) => schema.safeParse(value)
    const fast = compiled(schema.clone())
    for (const value of values) {
      const expected = plain(value)
      if (expected.success) expect(fast.parse(value)).toStrictEqual(expected.data)
      else expect(() => fast.parse(value)).toThrow(expected.error.message)
      const quick = quickParse(schema)(value)
      expect([quick.success, quick.data, quick.error?.issues]).toStrictEqual([
        expected.success,
        expected.data,
        expected.error?.issues,
      ])
    }
  })

  test('keeps the order of the schema, drops what it does not name, and leaves the value alone', () => {
    const value = { b: { c: 1, secret: 'x' }, a: 'y', token: 'z' }
    const fast = compiled(z.object({ a: z.string(), b: z.object({ c: z.int() }) }))
    expect(JSON.stringify(fast.parse(value))).toBe('{"a":"y","b":{"c":1}}')
    expect(value).toEqual({ b: { c: 1, secret: 'x' }, a: 'y', token: 'z' })
  })

  test('never makes a prototype of what a record holds', () => {
    const schema = z.record(z.string(), z.unknown())
    const value: unknown = JSON.parse('{"__proto__": {"admin": true}, "a": 1}')
    expect(Object.keys(compiled(schema.clone()).parse(value))).toEqual(Object.keys(schema.parse(value)))
  })
})

test('what a schema has written stands for its value where the schema does, and nowhere else', () => {
  const item = z.object({ a: z.string() })
  const write = writer(item)
  const [one, list, other] = [
    compiled(z.object({ ok: z.literal(true), data: item })),
    compiled(z.object({ data: z.array(item), more: z.int().optional() })),
    compiled(z.object({ data: z.object({ a: z.string() }) })),
  ]
  const written = write({ a: '"b"', c: 'left out' } as { a: string })
  const given = (data: unknown) => ({ ok: true, data, more: undefined }) as never
  expect(jsonOf(one.parse(given(written)))).toBe('{"ok":true,"data":{"a":"\\"b\\""}}')
  expect(jsonOf(list.parse(given([written, written])))).toBe('{"data":[{"a":"\\"b\\""},{"a":"\\"b\\""}]}')
  expect(JSON.stringify(list.parse(given([written])))).toBe('{"data":[{"a":"\\"b\\""}]}')
  expect(() => other.parse(given(written))).toThrow(z.ZodError)
  expect(() => write({ a: 1 } as never)).toThrow(z.ZodError)
})
