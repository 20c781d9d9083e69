import type { Random } from './random.ts'

const games: readonly [[string, string], ...[string, string][]] = [
  ['x-request-id', 'x'.repeat(5000)],
  ['x-request-id', '<script>'],
  ['x-request-id', 'sane-request-id'],
  ['accept', 'text/html'],
  ['accept', 'application/xml;q=0.9, */*;q=0'],
  ['accept-encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'],
  ['accept-language', 'x'.repeat(2000)],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'identity'],
  ['origin', 'null'],
  ['origin', 'https://elsewhere.invalid'],
  ['x-forwarded-for', '127.0.0.1, 10.0.0.1'],
  ['x-forwarded-host', 'elsewhere.invalid'],
  ['forwarded', 'for="[::1]";host=elsewhere.invalid'],
  ['x-http-method-override', 'DELETE'],
  ['if-none-match', '*'],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=0-1,5-6,-9'],
  ['cookie', '__proto__=1; a'],
  ['trpc-accept', 'application/jsonl'],
  ['traceparent', '00-0-0-zz'],
  ['idempotency-key', ''],
  ['idempotency-key', 'k'.repeat(256)],
  ['idempotency-key', 'k'.repeat(255)],
  ['idempotency-key', 'one'],
  ['idempotency-key', 'two'],
  ['idempotency-key', '\u00ff\u00fe'],
  ['authorization', 'Basic YTpi'],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer  '],
  ['authorization', `Bearer vk_${'a'.repeat(5000)}`],
]

/** Headers that mean little here, for one request of six. */
export function strangeHeaders(random: Random): [string, string][] {
  return random.chance(0.16) ? [random.pick(games)] : []
}
