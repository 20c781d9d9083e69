import { afterEach, expect, test } from 'vitest'
import { createQueue } from '../../src/api/rate-limit/slots.ts'
import type { McpTool } from '../../src/mcp/bounded-tool.ts'
import { createMcpServers } from '../../src/mcp/servers.ts'
import { createGuardedFetch } from '../../src/outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../../src/outgoing/places.ts'
import { createLog } from '../../src/runtime/log.ts'
import { testClock } from '../support/app.ts'

interface Rpc {
  id?: number | string
  method: string
  params?: { cursor?: string; name?: string }
}

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/**
 * A tool server of one generation or the other that sends what it is told to, as text: `result` or `error` of a
 * response.
 */
function serving(say: (rpc: Rpc) => string | Response, modern = true) {
  const asked: (Rpc & { headers: Headers })[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const rpc = (await request.json()) as Rpc
      asked.push({ ...rpc, headers: request.headers })
      if (rpc.id === undefined) return new Response(null, { status: 202 })
      const json = (said: string) =>
        new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(rpc.id)},${said}}`, {
          headers: { 'content-type': 'application/json' },
        })
      if (rpc.method === 'server/discover') {
        return modern
          ? json(
              '"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","resultType":"complete"}',
            )
          : json('"error":{"code":-32601,"message":"Method not found"}')
      }
      if (rpc.method === 'initialize') {
        return json(
          modern
            ? '"error":{"code":-32601,"message":"Method not found"}'
            : '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}',
        )
      }
      const said = say(rpc)
      return typeof said === 'string' ? json(said) : said
    },
  })
  stops.push(() => server.stop(true))
  const servers = createMcpServers({
    outgoing: createGuardedFetch({ allowed: allowedPlaces(['127.0.0.1']) }),
    clock: testClock(),
    log: createLog('silent'),
    slots: createQueue({ total: 40 }),
  })
  const target = { uid: crypto.randomUUID(), owner: '1', url: `http://127.0.0.1:${server.port}/mcp`, headers: {} }
  return {
    asked,
    list: () => servers.list(target),
    call: (tool: Partial<McpTool> = {}, input = {}, signal = new AbortController().signal) => {
      const whole = { name: 'look', description: '', inputSchema: { type: 'object' as const }, ...tool }
      return servers.call(target, whole, input, signal)
    },
  }
}

/** The longest time that this thread did nothing else, in milliseconds. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 2)
  await work()
  await Bun.sleep(5)
  look()
  clearInterval(timer)
  return longest
}

const repeated = (text: string, bytes: number) => `[${Array(Math.floor(bytes / (text.length + 1))).fill(text)}]`
const many = 900_000
const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
const idOf = ({ id }: Rpc) => JSON.stringify(id)

const complete = '"resultType":"complete"'
const floods: [what: string, say: (rpc: Rpc) => string | Response][] = [
  ['parts of no kind', () => `"result":{${complete},"content":${repeated('{}', many)}}`],
  ['parts that are numbers', () => `"result":{${complete},"content":${repeated('0', many)}}`],
  ['parts that lack their text', () => `"result":{${complete},"content":${repeated('{"type":"text"}', many)}}`],
  [
    'the same as an event',
    (rpc) => stream(`data: {"jsonrpc":"2.0","id":${idOf(rpc)},"result":{"content":${repeated('{}', many)}}}\n\n`),
  ],
  ['events that are no responses', () => stream('data: {"method":"x"}\n\n'.repeat(many / 25))],
  ['line ends of the other kind', () => stream('\r'.repeat(many))],
  ['lines that end in both', () => stream('data: {}\r\n\r\n'.repeat(many / 12))],
  ['an error with data', () => `"error":{"code":-32000,"message":"No.","data":${repeated('{}', many)}}`],
  [
    'a list of responses',
    (rpc) =>
      new Response(repeated(`{"jsonrpc":"2.0","id":${idOf(rpc)},"result":{"content":0}}`, many), {
        headers: { 'content-type': 'application/json' },
      }),
  ],
  [
    'what is nested without end',
    () => `"result":{${complete},"content":${'['.repeat(many / 2)}${']'.repeat(many / 2)}}`,
  ],
  [
    'data that is nested without end',
    () => `"result":{${complete},"content":[],"structuredContent":${'['.repeat(many / 2)}${']'.repeat(many / 2)}}`,
  ],
]

/** By then all of a flood has been read. */
const longestRead = 4_000

for (const modern of [true, false]) {
  test.each(floods)(`a call that is answered by %s leaves the thread to others (modern: ${modern})`, async (_, say) => {
    const { call } = serving(say, modern)
    // A stream that never responds would be waited for as long as a call may take.
    const callOnce = () => call({}, {}, AbortSignal.timeout(longestRead)).catch(() => {})
    await callOnce()
    expect(await longestStall(callOnce)).toBeLessThan(1_000)
  })
}

const worst = {
  pattern: { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*$' } }, required: ['a'] },
  'ten thousand properties': {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string', pattern: '^x*$' }]),
    ),
  },
  uniqueItems: { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
}

test.each(Object.entries(worst))(
  'an output schema is not compiled when headers do not fit: %s',
  async (_, outputSchema) => {
    let calls = 0
    const content = { a: `${'a'.repeat(40)}b` }
    const { call, asked } = serving(({ method }) => {
      if (method === 'tools/list') {
        const tools = [{ name: 'look', inputSchema: { type: 'object' }, outputSchema }]
        return `"result":{${complete},"ttlMs":0,"cacheScope":"private","tools":${JSON.stringify(tools)}}`
      }
      return ++calls === 1
        ? '"error":{"code":-32020,"message":"Header mismatch"}'
        : `"result":{${complete},"content":[],"structuredContent":${JSON.stringify(content)}}`
    })
    const started = performance.now()
    await expect(call()).rejects.toThrow('Header mismatch')
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(asked.map(({ method }) => method)).not.toContain('tools/list')
  },
)

test('an event is heard whatever its lines end with, and wherever it is cut', async () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const { call } = serving((rpc) => {
      const event = `data: {"jsonrpc":"2.0","id":${idOf(rpc)},${end}data: "result":{${complete},"content":[{"type":"text","text":"Nine."}]}}${end}${end}`
      const body = new ReadableStream({
        async start(controller) {
          for (const character of event) {
            controller.enqueue(new TextEncoder().encode(character))
            await Bun.sleep(0)
          }
          controller.close()
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    expect(await call()).toBe('Nine.')
  }
})

test('an input schema that is too large or too deep takes any object, and no page after the fifth is read', async () => {
  let deep: object = {}
  for (let level = 0; level < 30; level++) deep = { properties: { a: deep } }
  const fitting = { type: 'object', properties: { branch: { type: 'string' } }, required: ['branch'] }
  const schemas = [
    fitting,
    deep,
    { enum: Array.from({ length: 2_000 }, (_, at) => at) },
    { title: 'x'.repeat(30_000) },
    7,
  ]
  const { list, asked } = serving(({ params }) => {
    const page = Number(params?.cursor ?? 0)
    const tools = schemas.map((inputSchema, at) => ({ name: `tool-${page}-${at}`, inputSchema }))
    return `"result":{${complete},"ttlMs":0,"cacheScope":"private","nextCursor":"${page + 1}","tools":${JSON.stringify(tools)}}`
  })
  const tools = await list()
  expect(tools).toHaveLength(25)
  expect(tools?.slice(0, 5).map(({ inputSchema }) => inputSchema)).toEqual([
    fitting,
    ...Array(4).fill({ type: 'object' }),
  ])
  expect(asked.filter(({ method }) => method === 'tools/list')).toHaveLength(5)
})

test.each([true, false])(
  'a keyword that is not as it must be is left out of its input schema, and takes no tool away (modern: %s)',
  async (modern) => {
    const type = 'object' as const
    const sound = { type, properties: { branch: true }, required: ['branch'], additionalProperties: false }
    const schemas: [given: object, kept: object][] = [
      [
        { type, required: null, properties: null, title: 'None' },
        { type, title: 'None' },
      ],
      [
        { type, properties: 7, required: ['a'] },
        { type, required: ['a'] },
      ],
      [{ type, properties: ['a'] }, { type }],
      [
        { type, properties: {}, required: [1] },
        { type, properties: {} },
      ],
      [{ type, required: 'a', $schema: 7 }, { type }],
      [
        { type: 'string', constructor: 1 },
        { type, constructor: 1 },
      ],
      [sound, sound],
    ]
    const tools = schemas.map(([inputSchema], at) => ({ name: `tool-${at}`, inputSchema }))
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools }
    const { list } = serving(() => `"result":${JSON.stringify(result)}`, modern)
    expect((await list())?.map(({ inputSchema }) => inputSchema)).toEqual(schemas.map(([, kept]) => kept))
  },
)

const kind = { resultType: 'complete' }
test.each<[what: string, hints: object]>([
  ['no time to keep it', { ...kind, cacheScope: 'public' }],
  ['part of a millisecond', { ...kind, ttlMs: 1.5, cacheScope: 'public' }],
  ['less than no time', { ...kind, ttlMs: -1, cacheScope: 'private' }],
  ['a time in words', { ...kind, ttlMs: '60000', cacheScope: 'private' }],
  ['nobody who may keep it', { ...kind, ttlMs: 0 }],
  ['somebody unknown who may keep it', { ...kind, ttlMs: 0, cacheScope: 'shared' }],
  ['no kind of result', { ttlMs: 0, cacheScope: 'private' }],
])('a list of tools counts that comes with %s, and so does what they give', async (_what, hints) => {
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
  const { list, call } = serving(({ method }) => {
    const said = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'Nine.' }] }
    return `"result":${JSON.stringify({ ...hints, ...said })}`
  })
  expect((await list())?.map(({ name }) => name)).toEqual(['look'])
  expect(await call()).toBe('Nine.')
})

const resource = (more: object) => ({ type: 'resource', resource: { uri: 'file:///prices', ...more } })

test.each<[what: string, given: object, told: string]>([
  ['data alone', { content: [], structuredContent: { price: 42 } }, '{"price":42}'],
  ['data without a list of parts', { structuredContent: { price: 42 } }, '{"price":42}'],
  [
    'data beside a text',
    { content: [{ type: 'text', text: 'It is 42.' }], structuredContent: { price: 42 } },
    'It is 42.',
  ],
  ['data beside an empty text', { content: [{ type: 'text', text: '' }], structuredContent: [1] }, '[1]'],
  [
    'data beside a picture',
    { content: [{ type: 'image', data: '' }], structuredContent: { a: 1 } },
    '[image]\n{"a":1}',
  ],
  ['much data', { content: [], structuredContent: 'x'.repeat(20_000) }, `"${'x'.repeat(7_998)}…`],
  ['no data', { content: [], structuredContent: null }, ''],
  ['a resource with a text', { content: [resource({ text: 'Soup 4.20' })] }, 'Soup 4.20'],
  ['a resource of bytes', { content: [resource({ blob: 'AAAA' })] }, '[resource]'],
  [
    'a link to one',
    {
      content: [
        { type: 'resource_link', name: 'Prices', uri: 'https://a.test/p' },
        { type: 'resource_link', uri: 'x:y' },
      ],
    },
    'Prices: https://a.test/p\nx:y',
  ],
  [
    'half of a character, and none',
    { content: [{ type: 'text', text: 'a\ud800b\0c' }, resource({ text: '\udfff\0' })] },
    'a\ufffdbc\n\ufffd',
  ],
])('a model reads what a tool gave as %s', async (_what, given, told) => {
  const { call } = serving(() => `"result":${JSON.stringify({ resultType: 'complete', ...given })}`)
  expect(await call()).toBe(told)
})

test('what a server says went wrong is told without what a model must not be sent', async () => {
  const { call } = serving(() => '"error":{"code":-32000,"message":"No\\u0000thing \\ud800."}')
  await expect(call()).rejects.toThrow('Nothing \ufffd.')
})

test('values that a schema wants in headers are sent in them at the first call', async () => {
  const inputSchema = { type: 'object' as const, properties: { branch: { type: 'string', 'x-mcp-header': 'Branch' } } }
  const { call, asked } = serving(
    () => `"result":{${complete},"content":[{"type":"text","text":"Nine to five."},{"type":"image"}]}`,
  )
  expect(await call({ inputSchema }, { branch: 'Harbour' })).toBe('Nine to five.\n[image]')
  expect(asked.at(-1)?.headers.get('mcp-param-branch')).toBe('Harbour')
})

test.each(['application/json', 'text/event-stream'])(
  'a response that breaks off says so in our words: %s',
  async (type) => {
    const broken = () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('data: {"jsonrpc":'))
          setTimeout(() => controller.error(new Error('gone')), 20)
        },
      })
      return new Response(body, { headers: { 'content-type': type } })
    }
    const { call } = serving(broken)
    await expect(call()).rejects.toThrow('The URL names a host that cannot be reached.')
  },
)
