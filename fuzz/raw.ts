import type { Caller } from './cast.ts'
import type { Described } from './description.ts'
import type { Lane } from './lane.ts'
import type { Random } from './random.ts'
import type { FuzzRequest } from './request.ts'
import { restRequest } from './rest.ts'

interface Parts {
  line: string
  headers: [string, string][]
  body: Buffer
}

type Piece = FuzzRequest['pieces'][number]
type Game = (parts: Parts, random: Random) => { pieces: Piece[]; hangs?: boolean }

const text = ({ line, headers, body }: Parts): Buffer =>
  Buffer.concat([
    Buffer.from(`${line}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1'),
    body,
  ])

const whole = (bytes: Buffer): Piece[] => [{ bytes, pause: 0 }]
const withHeaders = (parts: Parts, ...more: [string, string][]): Buffer =>
  text({ ...parts, headers: [...parts.headers, ...more] })
const length = ({ body }: Parts): [string, string] => ['content-length', String(body.length)]

/** The bytes in pieces of some size, with a little time between them. */
function trickled(bytes: Buffer, size: number): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push({ bytes: bytes.subarray(at, at + size), pause: 2 })
  return pieces
}

const chunked = (body: Buffer, sizes: (size: number) => string): Buffer =>
  Buffer.concat([Buffer.from(`${sizes(body.length)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])

const chunkSizes: readonly [(size: number) => string, ...((size: number) => string)[]] = [
  (size) => size.toString(16),
  (size) => `000${size.toString(16)};ext="a"`,
  (size) => (size + 1).toString(16),
  () => 'ffffffffffffffff',
  () => '-1',
  () => 'xyz',
  () => '',
]

const lines: readonly [(path: string) => string, ...((path: string) => string)[]] = [
  (path) => `GET ${path} HTTP/1.0`,
  (path) => `GET ${path} HTTP/2.0`,
  (path) => `GET ${path} HTTP/9.9`,
  (path) => `GET ${path}`,
  (path) => `BREW ${path} HTTP/1.1`,
  (path) => `TRACE ${path} HTTP/1.1`,
  (path) => `CONNECT ${path} HTTP/1.1`,
  (path) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${path}`,
  (path) => `OPTIONS ${path} HTTP/1.1`,
  (path) => `HEAD ${path} HTTP/1.1`,
  () => 'OPTIONS * HTTP/1.1',
  () => 'GET  /  HTTP/1.1',
  (path) => `GET http://elsewhere.invalid${path} HTTP/1.1`,
  (path) => `GET /..${path} HTTP/1.1`,
  (path) => `GET /${path} HTTP/1.1`,
  (path) => `GET ${path}%00 HTTP/1.1`,
  (path) => `GET ${path}%zz HTTP/1.1`,
  (path) => `GET ${path}%c0%af HTTP/1.1`,
  (path) => `GET ${path}\u00ff HTTP/1.1`,
  (path) => `GET ${path}\u0000 HTTP/1.1`,
  (path) => `GET ${path}?${'a=1&'.repeat(5000)} HTTP/1.1`,
  (path) => `GET ${path}/${'a/'.repeat(3000)} HTTP/1.1`,
  (path) => `GET ${path}#part HTTP/1.1`,
  () => 'GET /trpc/ HTTP/1.1',
  () => 'GET /trpc/__proto__?input=%7B%7D HTTP/1.1',
  () => 'GET /trpc/constructor.constructor HTTP/1.1',
  () => `GET /trpc/${'models.list,'.repeat(60)}models.list?batch=1 HTTP/1.1`,
  () => 'GET /trpc/models.list?batch=1&input=[] HTTP/1.1',
  () => 'GET /trpc/%E0%A4%A HTTP/1.1',
  () => '\u0000\u0001\u0002\u0003',
  () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
]

const oddHeaders: readonly [[string, string], ...[string, string][]] = [
  ['host', ''],
  ['host', 'a b'],
  ['host', 'elsewhere.invalid:99999'],
  ['x y', '1'],
  ['x', 'a\u0000b'],
  ['x', 'a\r\n folded'],
  ['x', 'a\nb'],
  ['', 'no name'],
  ['x', 'v'.repeat(20_000)],
  ['expect', '100-continue'],
  ['expect', 'the unexpected'],
  ['upgrade', 'websocket'],
  ['connection', 'upgrade, HTTP2-Settings'],
  ['content-type', '\u00ff'],
  ['authorization', 'Bearer \u00ff\u00fe'],
]

/** Every game with bytes that a client of HTTP would not let one play. */
const games: readonly [Game, ...Game[]] = [
  (parts) => ({ pieces: whole(withHeaders(parts, length(parts))) }),
  (parts, random) => ({
    pieces: trickled(withHeaders(parts, length(parts)), random.pick([7, 40])).slice(0, 60),
    hangs: true,
  }),
  (parts) => ({ pieces: whole(withHeaders(parts, ['content-length', String(parts.body.length + 10)])), hangs: true }),
  (parts) => ({ pieces: whole(withHeaders(parts, ['content-length', String(Math.max(0, parts.body.length - 3))])) }),
  (parts, random) => ({
    pieces: whole(
      withHeaders(parts, [
        'content-length',
        random.pick(['-1', '1e3', '0x10', '99999999999999999999', ' ', '5, 5', '+5', '30000000', '1048577']),
      ]),
    ),
    hangs: true,
  }),
  (parts) => ({ pieces: whole(withHeaders(parts, length(parts), ['content-length', '0'])), hangs: true }),
  (parts, random) => ({
    pieces: whole(
      withHeaders({ ...parts, body: chunked(parts.body, random.pick(chunkSizes)) }, ['transfer-encoding', 'chunked']),
    ),
    hangs: true,
  }),
  (parts, random) => ({
    pieces: whole(
      withHeaders(
        { ...parts, body: chunked(parts.body, random.pick(chunkSizes)) },
        [
          'transfer-encoding',
          random.pick(['chunked', 'xchunked', 'identity', 'chunked, chunked', 'gzip, chunked', ' chunked']),
        ],
        ['content-length', random.pick(['0', '5', String(parts.body.length)])],
      ),
    ),
    hangs: true,
  }),
  (parts, random) => {
    const bytes = withHeaders({ ...parts, body: chunked(parts.body, (size) => size.toString(16)) }, [
      'transfer-encoding',
      'chunked',
    ])
    return { pieces: trickled(bytes, random.pick([9, 60])).slice(0, 50), hangs: true }
  },
  (parts, random) => ({ pieces: whole(withHeaders(parts, random.pick(oddHeaders), length(parts))), hangs: true }),
  (parts) => ({
    pieces: whole(
      withHeaders(parts, ...Array.from({ length: 300 }, (_, at): [string, string] => [`x-${at}`, 'y']), length(parts)),
    ),
    hangs: true,
  }),
  (parts, random) => {
    const path = parts.line.split(' ')[1] ?? '/'
    return { pieces: whole(text({ ...parts, line: random.pick(lines)(path), body: Buffer.alloc(0) })), hangs: true }
  },
  (parts, random) => ({ pieces: whole(text(parts).subarray(0, random.int(0, 200))), hangs: true }),
]

/** A request as bytes on a socket, with a game played on its head, length or pace. */
export function rawRequest(
  lane: Lane,
  random: Random,
  number: number,
  caller: Caller,
  operation: Described,
): FuzzRequest {
  const { calls, body = '', ...request } = restRequest(lane, random, number, caller, operation)
  const headers: [string, string][] = [['host', 'localhost'], ['connection', 'close'], ...request.headers]
  const parts = { line: `${request.method} ${request.target} HTTP/1.1`, headers, body: Buffer.from(body) }
  const { pieces, hangs = false } = random.pick(games)(parts, random)
  const routeless = calls.map((call) => ({ ...call, owner: undefined, sent: undefined, routed: false }))
  return { ...request, body, kind: 'raw', calls: routeless, pieces, hangs }
}
