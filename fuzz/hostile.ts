import { copyOf, Verbatim } from './json.ts'
import type { Random } from './random.ts'

const NUL = '\u0000'

/** Texts that programs get wrong. */
export const texts: readonly [string, ...string[]] = [
  '',
  ' ',
  '\t\r\n',
  NUL,
  `a${NUL}b`,
  '\u202egnp.exe\u202c',
  '\u200b\u200d\ufeff',
  'e\u0301'.repeat(40),
  'Z\u0351\u036b\u0343\u036a\u0302\u036b'.repeat(8),
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  '\uffff\ufffe',
  'İıſß',
  '%',
  '%25%00%',
  '_%\\_',
  "' OR '1'='1' --",
  '"; DROP TABLE users; --',
  '$1',
  '{{name}}',
  '{{ {{name}} }}',
  '{{__proto__}}{{constructor}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '\\\\host\\share',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  '-1',
  '0x10',
  '1e3',
  '9007199254740993',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '+00000000000000000',
  'javascript:alert(1)',
  'http://127.0.0.1:9/',
  'http://[::1]:9/',
  'http:///127.0.0.1',
  'https://user:pass@hooks.invalid:99999/',
  'file:///etc/passwd',
  'http://\u{1f600}.invalid/',
  'a@b',
  '"very odd"@example.com',
  '00000000-0000-0000-0000-000000000000',
]

const numbers: readonly [unknown, ...unknown[]] = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  101,
  255,
  256,
  32_768,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  1e21,
  5e-324,
  1.7976931348623157e308,
  new Verbatim('1e999'),
  new Verbatim('-1e999'),
  new Verbatim('123456789012345678901234567890'),
  new Verbatim('0.1000000000000000055511151231257827'),
]

const verbatim: readonly [string, ...string[]] = [
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"a\\u0000b"',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null}',
  '{"toString":1,"valueOf":2}',
  '{"toJSON":"x"}',
  '{"then":1}',
  '{"":""}',
  '{"a.b":1,"a[0]":2}',
  '{"length":99999999}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '[null]',
  '[[]]',
  '[{}]',
]

const deep = (random: Random) => {
  const depth = random.pick([20, 200, 2000, 20_000])
  return random.chance(0.5)
    ? new Verbatim('['.repeat(depth) + ']'.repeat(depth))
    : new Verbatim(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
}

const units = ['a', '\u{1f600}', '\u0000', '{{name}} ', ' ', 'a.', 'a-', '#', '/', '\r', '\n', '"', '.', ', '] as const

const hugeText = (random: Random) => random.pick(units).repeat(random.pick([256, 5000, 20_001, 100_000]))

/** What begins like something and ends as nothing of the kind: slow to read for a pattern that tries every length. */
const misleadingText = (random: Random) =>
  random.pick(['https://', '```', '- ', 'my name is ', '<', '|']) +
  hugeText(random) +
  random.pick(['x', ' x', '?', '\n'])

const wide = (random: Random) => {
  const size = random.pick([50, 1000, 10_000])
  if (random.chance(0.5)) return Array.from({ length: size }, () => random.pick<unknown>([0, '', null]))
  return Object.fromEntries(Array.from({ length: size }, (_, at) => [`key_${at}`, at]))
}

const plain: readonly [unknown, ...unknown[]] = [null, true, false, [], {}, [[]], 'text', 7, '7', 'true']

/** A value that a field is unlikely to take. */
export function hostileValue(random: Random): unknown {
  const dice = random.next()
  if (dice < 0.25) return copyOf(random.pick(plain))
  if (dice < 0.5) return random.pick(texts)
  if (dice < 0.7) return random.pick(numbers)
  if (dice < 0.85) return new Verbatim(random.pick(verbatim))
  if (dice < 0.88) return hugeText(random)
  if (dice < 0.91) return misleadingText(random)
  if (dice < 0.95) return wide(random)
  return deep(random)
}

/** A text for where only text can stand: a path, a query, a form, a header. */
export function hostileText(random: Random): string {
  if (random.chance(0.05)) return 'a'.repeat(random.pick([300, 3000, 7000]))
  return random.chance(0.3) ? String(random.int(-3, 2_147_483_650)) : random.pick(texts)
}

/** Keys that an object should not gain anything by. */
export const hostileKeys: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  '0',
  'id',
  'workspace_id',
  'user_id',
  'reseller_id',
  'role',
  'a.b',
  `x${NUL}`,
  'a.'.repeat(100_000),
]
